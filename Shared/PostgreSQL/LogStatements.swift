/// The log's tables, and each statement that is sent.
///
/// Every statement is a transaction by itself, without settings or locks that live as long as a session, and none
/// needs a name to be known: a pooler may give each one to another server process.
enum LogStatements {
    /// Of the tables; another one is refused.
    static let version: Int64 = 1

    static let tables = [
        """
        CREATE TABLE IF NOT EXISTS public.counterfoil_log (
            version bigint NOT NULL PRIMARY KEY, group_name text NOT NULL)
        """,
        // `quarantine` is why nobody may claim before an operator has looked.
        """
        CREATE TABLE IF NOT EXISTS public.counterfoil_partition (name text NOT NULL PRIMARY KEY, quarantine text)
        """,
        // `repeats` counts how often an entry of one's own was met again. Counting is the write whose acknowledgement
        // says that the entry itself is durable.
        """
        CREATE TABLE IF NOT EXISTS public.counterfoil_entry (
            partition text NOT NULL, position bigint NOT NULL, epoch bigint NOT NULL, former bigint NOT NULL,
            kind bigint NOT NULL, bytes bytea NOT NULL, repeats bigint NOT NULL DEFAULT 0,
            PRIMARY KEY (partition, position), CHECK (position >= 0 AND epoch >= 0))
        """,
        """
        CREATE TABLE IF NOT EXISTS public.counterfoil_snapshot (
            partition text NOT NULL, position bigint NOT NULL, epoch bigint NOT NULL, id bigint NOT NULL,
            parts bigint NOT NULL, size bigint NOT NULL, digest bigint NOT NULL,
            repeats bigint NOT NULL DEFAULT 0, PRIMARY KEY (partition, position))
        """,
        """
        CREATE TABLE IF NOT EXISTS public.counterfoil_part (
            partition text NOT NULL, position bigint NOT NULL, id bigint NOT NULL, number bigint NOT NULL,
            bytes bytea NOT NULL, PRIMARY KEY (partition, position, id, number))
        """,
        """
        CREATE TABLE IF NOT EXISTS public.counterfoil_renewal (
            partition text NOT NULL PRIMARY KEY, epoch bigint NOT NULL, counter bigint NOT NULL,
            endpoint text NOT NULL)
        """,
        """
        CREATE TABLE IF NOT EXISTS public.counterfoil_member (
            name text NOT NULL PRIMARY KEY, counter bigint NOT NULL, bytes bytea NOT NULL,
            heard timestamptz NOT NULL DEFAULT now())
        """,
        """
        CREATE TABLE IF NOT EXISTS public.counterfoil_catalog (
            number bigint NOT NULL PRIMARY KEY, bytes bytea NOT NULL, repeats bigint NOT NULL DEFAULT 0)
        """,
    ]

    static let label =
        "INSERT INTO public.counterfoil_log (version, group_name) VALUES ($1, $2) ON CONFLICT DO NOTHING"
    static let labels = "SELECT version, group_name FROM public.counterfoil_log"

    /// Makes a partition once: the entry at position 0 is what the first claim follows, and pruned with others.
    static let makePartition = """
        WITH made AS (
            INSERT INTO public.counterfoil_partition (name) VALUES ($1) ON CONFLICT DO NOTHING RETURNING name)
        INSERT INTO public.counterfoil_entry (partition, position, epoch, former, kind, bytes)
        SELECT name, 0, 0, 0, 0, ''::bytea FROM made
        """

    /// What an acknowledgement is worth; `Durability` reads the columns.
    static let durability = """
        current_setting('fsync', true), current_setting('synchronous_commit', true),
        current_setting('synchronous_standby_names', true), current_setting('client_min_messages', true)
        """
    static let settings = "SELECT \(durability)"
    /// The control file names the former timeline for some time after a promotion; the log's file does not.
    private static let primaryTimeline =
        "('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint"
    static let server = """
        SELECT pg_is_in_recovery()::text,
            CASE WHEN pg_is_in_recovery() THEN (SELECT timeline_id::bigint FROM pg_control_checkpoint())
            ELSE \(primaryTimeline) END,
            (SELECT system_identifier FROM pg_control_system()), \(durability)
        """
    /// Where not everybody may read the control file.
    static let hardenedServer = """
        SELECT pg_is_in_recovery()::text, CASE WHEN NOT pg_is_in_recovery() THEN \(primaryTimeline) END,
            NULL, \(durability)
        """
    static let recovery = "SELECT pg_is_in_recovery()::text, NULL, NULL, \(durability)"
    /// Whether a process of this user is still at work on what a session has sent, and not waiting for the rest of it.
    ///
    /// Behind a pooler no process is the session's own; so the text of its statements says whose they are.
    static let isAtWork = """
        SELECT count(*) FROM pg_stat_activity
        WHERE usename = current_user AND state = 'active' AND coalesce(wait_event, '') <> 'ClientRead'
            AND query LIKE $1 || '%'
        """

    /// Puts an entry behind one that fits, which stays locked: nobody prunes both of them meanwhile.
    ///
    /// Where the same entry is there already, it is counted: a write that waits for the standby as the first one did.
    static let insert = """
        INSERT INTO public.counterfoil_entry AS own (partition, position, epoch, former, kind, bytes)
        SELECT partition, $2::bigint, $3::bigint, epoch, $5::bigint, $6::bytea FROM public.counterfoil_entry
        WHERE partition = $1 AND position = $2::bigint - 1 AND epoch = $4::bigint FOR KEY SHARE
        ON CONFLICT (partition, position) DO UPDATE SET repeats = own.repeats + 1
        WHERE own.epoch = excluded.epoch AND own.former = excluded.former AND own.kind = excluded.kind
            AND own.bytes = excluded.bytes
        RETURNING \(durability)
        """
    /// The same for an entry whose former one is pruned.
    static let confirm = """
        UPDATE public.counterfoil_entry SET repeats = repeats + 1
        WHERE partition = $1 AND position = $2::bigint AND epoch = $3::bigint AND former = $4::bigint
            AND kind = $5::bigint AND bytes = $6::bytea
        RETURNING \(durability)
        """
    /// Head, epoch of the entry before, what is at the position (0 nothing, 1 another entry, 2 the same).
    static let place = """
        SELECT head.position, head.epoch,
            (SELECT epoch FROM public.counterfoil_entry WHERE partition = $1 AND position = $2::bigint - 1),
            coalesce((
                SELECT CASE WHEN epoch = $3::bigint AND former = $4::bigint AND kind = $5::bigint
                    AND bytes = $6::bytea THEN 2 ELSE 1 END
                FROM public.counterfoil_entry WHERE partition = $1 AND position = $2::bigint), 0)
        FROM public.counterfoil_entry AS head WHERE head.partition = $1 ORDER BY head.position DESC LIMIT 1
        """
    static let head = """
        SELECT position, epoch FROM public.counterfoil_entry WHERE partition = $1 ORDER BY position DESC LIMIT 1
        """
    /// A page, which ends before `$3` bytes are exceeded, but not before its first entry.
    ///
    /// In binary.
    static let page = """
        SELECT position, epoch, former, kind, bytes FROM (
            SELECT position, epoch, former, kind, bytes, sum(length(bytes)) OVER (ORDER BY position) AS total
            FROM public.counterfoil_entry WHERE partition = $1 AND position >= $2::bigint ORDER BY position LIMIT 1024
        ) AS page WHERE total <= $3::bigint OR total = length(bytes) ORDER BY position
        """

    static let writePart = """
        INSERT INTO public.counterfoil_part (partition, position, id, number, bytes)
        VALUES ($1, $2::bigint, $3::bigint, $4::bigint, $5::bytea)
        ON CONFLICT (partition, position, id, number) DO UPDATE SET bytes = excluded.bytes
        """
    static let keep = """
        INSERT INTO public.counterfoil_snapshot AS own (partition, position, epoch, id, parts, size, digest)
        SELECT partition, position, epoch, $4::bigint, $5::bigint, $6::bigint, $7::bigint FROM public.counterfoil_entry
        WHERE partition = $1 AND position = $2::bigint AND epoch = $3::bigint AND (
            SELECT count(*) = $5::bigint AND coalesce(sum(length(bytes)), 0) = $6::bigint FROM public.counterfoil_part
            WHERE partition = $1 AND position = $2::bigint AND id = $4::bigint AND number < $5::bigint)
        ON CONFLICT (partition, position) DO UPDATE SET repeats = own.repeats + 1
        WHERE own.epoch = excluded.epoch
        """
    static let snapshots = """
        SELECT position, epoch, id, parts, size, digest FROM public.counterfoil_snapshot WHERE partition = $1
        ORDER BY position DESC
        """
    /// In binary.
    static let part = """
        SELECT part.bytes FROM public.counterfoil_part AS part
        JOIN public.counterfoil_snapshot AS kept USING (partition, position, id)
        WHERE partition = $1 AND position = $2::bigint AND id = $3::bigint AND number = $4::bigint
        """
    static let mayPrune = """
        SELECT count(*) FROM public.counterfoil_snapshot WHERE partition = $1 AND position >= $2::bigint
        """
    /// The oldest ones first: where an entry is left, so are all behind it.
    ///
    /// The owner waits for it between two batches.
    static let pruneEntries = """
        DELETE FROM public.counterfoil_entry WHERE partition = $1 AND position < $2::bigint AND position < 256 + (
            SELECT min(position) FROM public.counterfoil_entry WHERE partition = $1)
        """
    static let pruneSnapshots = """
        DELETE FROM public.counterfoil_snapshot WHERE partition = $1 AND position < $2::bigint
        """
    static let pruneParts = """
        DELETE FROM public.counterfoil_part WHERE (partition, position, id, number) IN (
            SELECT partition, position, id, number FROM public.counterfoil_part
            WHERE partition = $1 AND position < $2::bigint LIMIT 8)
        """
}
