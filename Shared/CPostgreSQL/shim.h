// Debian and Ubuntu have the header in a folder of its own; others where every compiler looks.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

// Swift does not import macros that are characters.

static const int cpostgresql_severity = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int cpostgresql_state = PG_DIAG_SQLSTATE;
static const int cpostgresql_message = PG_DIAG_MESSAGE_PRIMARY;
