/*
 * patient.h - a loop whose record is damaged: what can be saved of it, and saving it.
 *
 * patient_open does not believe the journal, and refuses a loop that runs.  patient_examine
 * changes nothing and says what can be done (record/repair.h); patient_treat does it.  After
 * any of them patient_close frees everything.
 *
 * Besides the journal, sessions that began behind the last line that is trusted are looked for:
 * the loop would give their numbers away again, so they are set aside.
 */
#ifndef LOOPS_PATIENT_H
#define LOOPS_PATIENT_H

#include "record/repair.h"

struct patient {
	const char *name;
	int home, dir, lock;
	struct settings settings;
	char *unset; /* why spec.json cannot be read, so that nobody knows what to run; NULL */
	struct repair plan;
	bool planned;
	bool unknown;	 /* a session lives that the plan does not know */
	char **later;	 /* sessions of lines that are not trusted any more */
	struct buf kept; /* where the old bytes are, when it is done */
};

int patient_open(struct patient *p, const char *name, struct err *err) NODISCARD;
/* Fills in the plan and what is known of the sessions. */
int patient_examine(struct patient *p, struct err *err) NODISCARD;
bool patient_is_damaged(const struct patient *p);
/* Can nobody go on with the loop, whatever is put right? */
bool patient_is_hopeless(const struct patient *p);
/* Repairs the loop with its lock held, and from what the files say now; a loop that is hopeless
 * goes to the archive.  Everything can be done again after a failure. */
int patient_treat(struct patient *p, struct err *err) NODISCARD;
void patient_close(struct patient *p);

#endif
