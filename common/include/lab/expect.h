/* Expected files ("goldens"): does this output match what it must be?
 *
 * Two kinds, told apart by the golden's name.
 *
 *   NAME.csv    one or more tables as lab_table_csv(rules=true) writes them: "# table: ID",
 *               a header, a "# rules:" line with one rule per column, rows. Rules:
 *                 exact     the same text
 *                 abs:X     |got − want| ≤ X           rel:X     |got − want| ≤ X·|want|
 *                 machine   the golden's cell is "~": any number, or any non-empty text, passes;
 *                           NaN and infinities do not
 *               The number of tables, rows and columns, and their names, must agree.
 *   any other   text: byte for byte. A CRLF at a line's end in the learner's output is forgiven.
 *
 * NaN never passes a numeric rule. Thread-safety: no shared state.
 */
#ifndef LAB_EXPECT_H
#define LAB_EXPECT_H

#include <stdbool.h>

#include "lab/buf.h"
#include "lab/err.h"

/* Is the golden of this name compared as CSV with rules? */
bool lab_expect_is_csv(const char *path);

/* Compare. Returns the number of differences (0: it matches), or −1 with an input error when the
 * golden itself is malformed. Appends to `report` one line per difference: "line 3: expected …, got
 * …"; at most 20, then how many more. `name` is what the golden is called in messages. */
int lab_expect_text(const char *name, const char *want, const char *got, struct lab_buf *report,
                    struct lab_err *err);
int lab_expect_csv(const char *name, const char *want, const char *got, struct lab_buf *report,
                   struct lab_err *err);

#endif
