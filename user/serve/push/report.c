/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* report.c - a line when the receiver goes, comes back, or is of another opinion. */
#include "serve/push/report.h"

#include "base/log.h"

static int state_of(const struct ctd_post_result *result)
{
	if (result->verdict == CTD_PUSH_LATER)
		return CTD_PUSH_WAITS;
	if (result->verdict == CTD_PUSH_REFUSED)
		return CTD_PUSH_FAILS;
	return result->answer.rejected_points ? CTD_PUSH_PARTLY : CTD_PUSH_GOES;
}

static const char *what_to_do(long status)
{
	if (status == 401 || status == 403)
		return "; see --otlp-header";
	if (status == 413)
		return "; the receiver's limit is below 1 MiB";
	if (status == 404 || status == 405 || (status >= 300 && status <= 399))
		return "; --otlp takes the whole URL, and does not follow redirects";
	return "";
}

void ctd_push_report(struct ctd_push_report *report, const char *url,
		     const struct ctd_post_result *result)
{
	const char *text = result->answer.text;
	int state = state_of(result);
	/* Of a request that was taken, 200 or 202 is all the same. */
	long status = state >= CTD_PUSH_WAITS ? result->status : 0;

	if ((int)report->state == state && report->status == status &&
	    report->transport == result->transport)
		return;
	if (state == CTD_PUSH_GOES)
		ctd_info("otlp: %s takes the figures%s%s", url, *text ? ", and says: " : "", text);
	else if (state == CTD_PUSH_PARTLY)
		ctd_warn("otlp: %s rejects points, %llu of a request: %s", url,
			 (unsigned long long)result->answer.rejected_points,
			 *text ? text : "it does not say why");
	else if (!status)
		ctd_warn("otlp: %s: %s; trying again, figures go on being counted", url, text);
	else if (state == CTD_PUSH_WAITS)
		ctd_warn("otlp: %s answers %ld%s%s; trying again, figures go on being counted", url,
			 status, *text ? ": " : "", text);
	else
		ctd_warn("otlp: %s refuses the figures, %ld%s%s; dropped%s", url, status,
			 *text ? ": " : "", text, what_to_do(status));
	report->state = state;
	report->status = status;
	report->transport = result->transport;
}
