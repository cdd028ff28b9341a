// Debian's and Ubuntu's library has the hook, and its header hides it. A library without it does not link.
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

// Swift does not import functions with a variable number of arguments.

/// Stops SQLite's counting of its memory, which takes a lock at each allocation; before the first connection only.
static inline int csqlite_config_without_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Whether the last connection leaves the WAL beside its file, without moving it there.
static inline int csqlite_keep_wal(sqlite3 *database, int keeps) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}

/// Whether triggers run; statements are prepared anew.
static inline int csqlite_run_triggers(sqlite3 *database, int runs) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, runs, (int *)0);
}
