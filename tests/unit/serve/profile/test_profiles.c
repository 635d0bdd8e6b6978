/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_profiles.c - who asks for a profile gets that of his own time, whatever else goes on. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cgtopdown/recorded_stacks.h>
#include <cmocka.h>
#include <jansson.h>
#include <zlib.h>

#include "base/strbuf.h"
#include "unit/serve/profile/seconds.h"

#define WAITING_MAX 64
#define KEY "kind=\"container\",namespace=\"shop\",pod=\"web\",container=\"nginx\""

static struct ctd_ask *ask(struct fixture *fixture, const struct ctd_profile_question *question)
{
	struct ctd_ask *asked;

	assert_int_equal(ctd_profiles_ask(fixture->profiles, question, tell_ready, fixture,
					  fixture->now_ns, &asked),
			 0);
	ctd_profiles_step(fixture->profiles, 1, &fixture->stacks, fixture->now_ns);
	return asked;
}

static struct ctd_ask *ask_for(struct fixture *fixture, uint64_t seconds)
{
	const struct ctd_profile_question question = {.length_ns = seconds * S};

	return ask(fixture, &question);
}

/* The number in a field of pprof's message: the last one. */
static uint64_t read_field(const unsigned char *data, size_t bytes, uint64_t wanted)
{
	uint64_t found = 0;

	for (size_t at = 0; at < bytes;) {
		uint64_t value[2] = {0};

		for (int i = 0; i < 2; i++) {
			for (int shift = 0;; shift += 7) {
				value[i] |= (uint64_t)(data[at] & 0x7f) << shift;
				if (!(data[at++] & 0x80))
					break;
			}
		}
		if ((value[0] & 7) == 2)
			at += value[1];
		else if (value[0] >> 3 == wanted)
			found = value[1];
	}
	return found;
}

/* The answer of a ready one, as if it had been sent. */
static struct ctd_strbuf take(struct ctd_ask *asked)
{
	struct ctd_asks *asks = asked->asks;
	struct ctd_strbuf answer = {0};

	assert_true(ctd_ask_is_ready(asked));
	assert_int_equal(ctd_ask_take(asked, &answer), 0);
	ctd_asks_leave(asks);
	return answer;
}

/* Takes a file of pprof. @return the length of its time in seconds. */
static uint64_t seconds_of(struct ctd_ask *asked)
{
	static unsigned char message[1 << 20];
	struct ctd_strbuf answer = take(asked);
	z_stream stream = {.next_out = message, .avail_out = sizeof(message)};
	uint64_t ns;

	stream.next_in = (unsigned char *)answer.text;
	stream.avail_in = (unsigned int)answer.bytes;
	assert_int_equal(inflateInit2(&stream, 31), Z_OK);
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	/* The types of samples are there, if nothing else is. */
	assert_int_equal(message[0], 1 << 3 | 2);
	ns = read_field(message, stream.total_out, 10);
	inflateEnd(&stream);
	ctd_strbuf_free(&answer);
	assert_int_equal(ns % S, 0);
	return ns / S;
}

static void each_has_its_own_begin_and_end(void **state)
{
	struct fixture *fixture = *state;
	struct ctd_ask *first, *second, *third;

	pass(fixture, 100);
	/* An interval ended just now: it is the begin. */
	first = ask_for(fixture, 3);
	assert_int_equal(fixture->ends, 0);
	pass(fixture, 100);
	fixture->now_ns += S / 2;
	/* In the middle of one: it is to end. */
	second = ask_for(fixture, 2);
	assert_int_equal(fixture->ends, 1);
	fixture->now_ns -= S / 2;
	pass(fixture, 100);
	third = ask_for(fixture, 1);
	pass(fixture, 100);
	assert_int_equal(seconds_of(first), 3);
	assert_int_equal(seconds_of(third), 1);
	assert_false(ctd_ask_is_ready(second));
	pass(fixture, 100);
	assert_int_equal(seconds_of(second), 2);
	assert_int_equal(fixture->ready, 3);
}

static void an_end_ends_the_interval(void **state)
{
	struct fixture *fixture = *state;
	struct ctd_ask *asked;

	pass(fixture, 100);
	asked = ask_for(fixture, 2);
	pass(fixture, 100);
	ctd_profiles_step(fixture->profiles, 1, &fixture->stacks, fixture->now_ns + S / 2);
	assert_int_equal(fixture->ends, 0);
	ctd_profiles_step(fixture->profiles, 1, &fixture->stacks, fixture->now_ns + S);
	assert_int_equal(fixture->ends, 1);
	pass(fixture, 100);
	assert_int_equal(seconds_of(asked), 2);
}

/* Naming samples takes a while, in which another interval may end: it has none of them. */
static void an_interval_that_ends_meanwhile_waits_for_its_own_samples(void **state)
{
	struct fixture *fixture = *state;
	struct ctd_ask *asked;
	size_t ended;

	pass(fixture, 100);
	asked = ask_for(fixture, 1);
	enter(fixture, 100);
	ended = ctd_profiles_ended(fixture->profiles);
	assert_int_equal(ended, 1);
	fixture->now_ns += S;
	ctd_profiles_enter(fixture->profiles, &fixture->scene.interval, fixture->scene.identities,
			   fixture->now_ns);
	ctd_profiles_step(fixture->profiles, ended, &fixture->stacks, fixture->now_ns);
	assert_null(fixture->stacks);
	assert_int_equal(ctd_profiles_ended(fixture->profiles), 1);
	/* Of a second, although two have passed. */
	assert_int_equal(seconds_of(asked), 1);
	fixture->stacks = sample_begin(&fixture->scene);
	ctd_profiles_step(fixture->profiles, 1, &fixture->stacks, fixture->now_ns);
	assert_int_equal(ctd_profiles_ended(fixture->profiles), 0);
}

static void what_nobody_waits_for_is_not_made(void **state)
{
	struct fixture *fixture = *state;
	struct ctd_ask *asked[CTD_ASKS_MAX], *more;
	const struct ctd_profile_question question = {.length_ns = S};

	pass(fixture, 100);
	for (int i = 0; i < CTD_ASKS_MAX; i++)
		asked[i] = ask_for(fixture, 5);
	assert_int_equal(ctd_profiles_ask(fixture->profiles, &question, tell_ready, fixture,
					  fixture->now_ns, &more),
			 -EBUSY);
	pass(fixture, 100);
	for (int i = 0; i < CTD_ASKS_MAX; i++)
		ctd_ask_drop(asked[i]);
	pass(fixture, 100);
	assert_int_equal(fixture->ready, 0);
	more = ask_for(fixture, 1);
	pass(fixture, 100);
	assert_int_equal(seconds_of(more), 1);
}

static void other_counters_end_what_was_asked_for(void **state)
{
	struct fixture *fixture = *state;
	struct ctd_ask *asked, *next;

	pass(fixture, 100);
	asked = ask_for(fixture, 5);
	pass(fixture, 100);
	pass(fixture, 100);
	snprintf(fixture->scene.header.source, sizeof(fixture->scene.header.source), "none");
	fixture->scene.header.model[0] = '\0';
	fixture->scene.header.counters_count = fixture->scene.interval.counters_count = 0;
	assert_int_equal(ctd_profiles_replan(fixture->profiles, &fixture->scene.header), 0);
	pass(fixture, 100);
	assert_int_equal(seconds_of(asked), 2);
	next = ask_for(fixture, 1);
	pass(fixture, 100);
	assert_int_equal(seconds_of(next), 1);
}

/* Of other counters, of which two groups rotate. */
static void rotate(struct fixture *fixture)
{
	struct scene *scene = &fixture->scene;

	scene->header = (struct ctd_record_header){.source = "none", .groups_count = 2};
	scene->interval.counters_count = 0;
	scene->interval.groups_count = 2;
	assert_int_equal(ctd_profiles_replan(fixture->profiles, &scene->header), 0);
	pass(fixture, 100);
}

/* An interval has to have had all groups: it may have just begun when somebody asks, and another
 * one when his time is over. */
static void where_groups_rotate_intervals_end_in_their_time_and_are_waited_for(void **state)
{
	struct fixture *fixture = *state;
	const struct ctd_profile_question recording = {.length_ns = S, .recording = true};
	struct ctd_ask *asked, *none;

	pass(fixture, 100);
	asked = ask_for(fixture, 10);
	/* There it hangs if it takes longer than its time and some. */
	assert_true(asked->limit_ns - asked->asked_ns < INTERVAL_S * S);
	ctd_ask_drop(asked);
	rotate(fixture);
	fixture->now_ns += S;
	asked = ask_for(fixture, 10);
	for (int i = 0; i < 2; i++) {
		assert_false(ctd_ask_is_ready(asked));
		fixture->now_ns += (INTERVAL_S - 1) * S;
		ctd_profiles_step(fixture->profiles, 1, &fixture->stacks, fixture->now_ns);
		pass(fixture, 100);
	}
	assert_int_equal(fixture->ends, 0);
	assert_true(fixture->now_ns < asked->limit_ns);
	assert_int_equal(seconds_of(asked), 1);
	assert_int_equal(ctd_profiles_ask(fixture->profiles, &recording, tell_ready, fixture,
					  fixture->now_ns, &none),
			 -EOPNOTSUPP);
}

static json_t *recent(struct fixture *fixture, const struct ctd_profile_question *question)
{
	struct ctd_strbuf answer = take(ask(fixture, question));
	json_t *json = json_loadb(answer.text, answer.bytes, 0, NULL);

	assert_non_null(json);
	ctd_strbuf_free(&answer);
	return json;
}

/* What the first node, all rows, has of a weight. */
static uint64_t value_of(const json_t *json, const char *weight)
{
	json_t *one;
	size_t at;

	json_array_foreach(json_object_get(json, "weights"), at, one)
	{
		if (strcmp(json_string_value(json_object_get(one, "name")), weight) == 0)
			return (uint64_t)json_integer_value(json_array_get(
				json_array_get(json_object_get(json, "values"), at), 0));
	}
	fail_msg("there is no %s", weight);
	return 0;
}

static void a_row_of_the_recent_minute_is_found_by_its_key(void **state)
{
	struct fixture *fixture = *state;
	const struct ctd_profile_question question = {
		.recent = true, .length_ns = 60 * S, .key = KEY};
	json_t *json;
	char *text;

	for (int i = 0; i < 20; i++)
		pass(fixture, 100);
	json = recent(fixture, &question);
	assert_int_equal(json_array_size(json_object_get(json, "rows")), 1);
	assert_int_equal(value_of(json, "cpu"), 20 * S / 10);
	assert_int_equal(value_of(json, "slots"), 2000 * (uint64_t)SCENE_SLOTS_PER_MS);
	assert_int_equal(value_of(json, "samples"), 200);
	/* Functions of others are not told. */
	text = json_dumps(json, 0);
	assert_non_null(strstr(text, "work"));
	assert_null(strstr(text, "secret"));
	free(text);
	json_decref(json);
}

static size_t rows_of(struct fixture *fixture, const char *key)
{
	const struct ctd_profile_question question = {
		.recent = true, .length_ns = 60 * S, .key = key};
	json_t *json = recent(fixture, &question);
	size_t count = json_array_size(json_object_get(json, "rows"));

	json_decref(json);
	return count;
}

static void a_key_without_a_core_is_of_all_core_types(void **state)
{
	struct fixture *fixture = *state;
	struct ctd_record_header *header = &fixture->scene.header;

	header->core_types_count = 2;
	for (int i = 0; i < 2; i++) {
		struct ctd_record_core_type *type = &header->core_types[i];

		*type = (struct ctd_record_core_type){
			.counters_count = header->counters_count,
			.groups_count = header->groups_count,
		};
		snprintf(type->name, sizeof(type->name), "%c-core", "PE"[i]);
		snprintf(type->source, sizeof(type->source), "%s", header->source);
		snprintf(type->model, sizeof(type->model), "%s", header->model);
	}
	assert_int_equal(ctd_profiles_replan(fixture->profiles, header), 0);
	pass(fixture, 100);
	assert_int_equal(rows_of(fixture, KEY ",core=\"P-core\""), 1);
	assert_int_equal(rows_of(fixture, KEY ",core=\"E-core\""), 0);
	assert_int_equal(rows_of(fixture, KEY), 1);
	/* It is a whole key, not how one begins. */
	assert_int_equal(rows_of(fixture, KEY ","), 0);
	assert_int_equal(rows_of(fixture, "kind=\"container\""), 0);
}

static void only_the_recent_minute_is_kept(void **state)
{
	struct fixture *fixture = *state;
	const struct ctd_profile_question minute = {.recent = true, .length_ns = 60 * S};
	const struct ctd_profile_question moment = {.recent = true, .length_ns = 10 * S};
	double seconds;
	json_t *json;

	for (int i = 0; i < 300; i++)
		pass(fixture, 100);
	json = recent(fixture, &minute);
	seconds = json_real_value(json_object_get(json, "seconds"));
	if (json_is_integer(json_object_get(json, "seconds")))
		seconds = (double)json_integer_value(json_object_get(json, "seconds"));
	assert_true(seconds >= 60 && seconds <= 70);
	json_decref(json);
	json = recent(fixture, &moment);
	assert_int_equal(json_array_size(json_object_get(json, "rows")), 2);
	json_decref(json);
}

/* Its cgroup is gone, and so is its name elsewhere. */
static void a_container_that_has_ended_keeps_its_name(void **state)
{
	struct fixture *fixture = *state;
	const struct ctd_profile_question question = {
		.recent = true, .length_ns = 60 * S, .key = KEY};
	json_t *json;

	pass(fixture, 100);
	ctd_identities_remove(fixture->scene.identities, ID);
	ctd_identities_forget(fixture->scene.identities, ID);
	json = recent(fixture, &question);
	assert_int_equal(json_array_size(json_object_get(json, "rows")), 1);
	json_decref(json);
}

/* A reader of the recording makes the same profile from it. */
static void a_recording_has_all_of_it(void **state)
{
	struct fixture *fixture = *state;
	const struct ctd_profile_question question = {.length_ns = 3 * S, .recording = true};
	struct ctd_stacks_reader *stacks;
	struct ctd_strbuf answer = {0};
	struct ctd_record_header header;
	struct ctd_record_reader *reader;
	struct ctd_record_item item;
	struct ctd_ask *asked;
	int snapshots = 0, names = 0, facts = 0;
	const char *wrong = "";
	char why[160];

	pass(fixture, 100);
	asked = ask(fixture, &question);
	for (int i = 0; i < 3; i++)
		pass(fixture, 100);
	answer = take(asked);
	assert_int_equal(ctd_record_open_memory(answer.text, answer.bytes, &header, &reader, why),
			 0);
	assert_string_equal(header.source, "sim");
	assert_int_equal(ctd_stacks_reader_new(&stacks), 0);
	while (!ctd_record_next(reader, &item, why) && item.kind != CTD_RECORD_END) {
		names += item.kind == CTD_RECORD_NAME;
		facts += item.kind == CTD_RECORD_FACTS;
		if (item.kind == CTD_RECORD_PROFILE)
			assert_int_equal(ctd_stacks_reader_take(stacks, item.profile.payload,
								item.profile.bytes, &wrong),
					 0);
		if (item.kind != CTD_RECORD_SNAPSHOT)
			continue;
		if (snapshots++) {
			assert_int_equal(item.snapshot.rows_count, 2);
			assert_int_equal(item.snapshot.rows[0].oncpu_ns, 3 * S / 10);
			assert_int_equal(item.snapshot.rows[0].count[0],
					 300 * (uint64_t)SCENE_SLOTS_PER_MS);
		}
		ctd_snapshot_free(&item.snapshot);
	}
	assert_int_equal(item.kind, CTD_RECORD_END);
	assert_int_equal(snapshots, 2);
	assert_int_equal(names, 2);
	assert_int_equal(facts, 1);
	assert_int_equal(ctd_stacks_reader_stacks(stacks)->stacks_count, 3);
	assert_int_equal(ctd_stacks_reader_stacks(stacks)->stacks[0].samples, 15);
	ctd_stacks_reader_free(stacks);
	ctd_record_reader_free(reader);
	ctd_strbuf_free(&answer);
}

static void without_an_interval_a_profile_is_empty(void **state)
{
	struct fixture *fixture = *state;
	const struct ctd_profile_question question = {.recent = true, .length_ns = 60 * S};
	json_t *json = recent(fixture, &question);

	assert_int_equal(json_array_size(json_object_get(json, "rows")), 0);
	json_decref(json);
}

/* Also those that no thread takes. */
static void what_is_in_no_profile_is_counted(void **state)
{
	struct fixture *fixture = *state;
	const struct ctd_profile_health health = {.sampling[CTD_SAMPLING_LOST] = 5,
						  .refused[CTD_TABLE_JIT] = 2};
	struct ctd_self self = {0};

	pass(fixture, 100);
	ctd_profiles_count(fixture->profiles, &self);
	assert_true(self.profiles);
	assert_int_equal(self.profile_samples, 11);
	assert_int_equal(self.profile_missed_intervals, 0);
	assert_int_equal(self.profile_health.sampling[CTD_SAMPLING_LOST], 0);
	ctd_profiles_tell(fixture->profiles, &health);
	for (int i = 0; i < WAITING_MAX + 3; i++)
		enter(fixture, 100);
	ctd_profiles_count(fixture->profiles, &self);
	assert_int_equal(self.profile_missed_intervals, 3);
	assert_int_equal(self.profile_health.sampling[CTD_SAMPLING_LOST], 5);
	assert_int_equal(self.profile_health.refused[CTD_TABLE_JIT], 2);
	assert_int_equal(ctd_profiles_ended(fixture->profiles), WAITING_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_has_its_own_begin_and_end, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_end_ends_the_interval, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			an_interval_that_ends_meanwhile_waits_for_its_own_samples, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(what_nobody_waits_for_is_not_made, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(other_counters_end_what_was_asked_for, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(
			where_groups_rotate_intervals_end_in_their_time_and_are_waited_for, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(a_key_without_a_core_is_of_all_core_types, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_row_of_the_recent_minute_is_found_by_its_key,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_the_recent_minute_is_kept, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_container_that_has_ended_keeps_its_name, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_recording_has_all_of_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_in_no_profile_is_counted, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(without_an_interval_a_profile_is_empty, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
