/// The statements of `GroupRecords`; its tables are among those of the log.
enum GroupStatements {
    static let renew = """
        INSERT INTO public.counterfoil_renewal AS own (partition, epoch, counter, endpoint)
        SELECT partition, epoch, 1, $4 FROM public.counterfoil_entry
        WHERE partition = $1 AND position = $2::bigint AND epoch = $3::bigint AND NOT EXISTS (
            SELECT 1 FROM public.counterfoil_entry WHERE partition = $1 AND position > $2::bigint
                AND epoch > $3::bigint)
        ON CONFLICT (partition) DO UPDATE
        SET epoch = excluded.epoch, counter = own.counter + 1, endpoint = excluded.endpoint
        WHERE own.epoch <= excluded.epoch
        RETURNING counter, \(LogStatements.durability)
        """
    static let quarantine = """
        UPDATE public.counterfoil_partition SET quarantine = coalesce(quarantine, $2) WHERE name = $1
        """
    static let resume = """
        UPDATE public.counterfoil_partition SET quarantine = NULL WHERE name = $1 AND quarantine IS NOT NULL
        """
    static let announce = """
        INSERT INTO public.counterfoil_member AS own (name, counter, bytes) VALUES ($1, 1, $2::bytea)
        ON CONFLICT (name) DO UPDATE SET counter = own.counter + 1, bytes = excluded.bytes, heard = now()
        """
    static let withdraw = "DELETE FROM public.counterfoil_member WHERE name = $1"
    static let load = """
        INSERT INTO public.counterfoil_catalog AS own (number, bytes)
        SELECT $1::bigint, $2::bytea
        WHERE $1::bigint = 1 OR EXISTS (SELECT 1 FROM public.counterfoil_catalog WHERE number = $1::bigint - 1)
        ON CONFLICT (number) DO UPDATE SET repeats = own.repeats + 1 WHERE own.bytes = excluded.bytes
        RETURNING \(LogStatements.durability)
        """
    /// What a row is and its name; position, silence or number; epochs of entry and renewal; counter; endpoint and
    /// quarantine; what a member says of itself.
    ///
    /// In binary. Each partition's last entry is the first one that the primary key has backwards.
    static let view = """
        SELECT 'partition', name, head.position, head.epoch, own.epoch, own.counter, own.endpoint, quarantine,
            NULL::bytea
        FROM public.counterfoil_partition
        LEFT JOIN LATERAL (
            SELECT position, epoch FROM public.counterfoil_entry WHERE partition = name ORDER BY position DESC LIMIT 1
        ) AS head ON true
        LEFT JOIN public.counterfoil_renewal AS own ON own.partition = name
        UNION ALL
        SELECT 'member', name, (extract(epoch FROM now() - heard) * 1000)::bigint, NULL, NULL, counter, NULL, NULL,
            bytes
        FROM public.counterfoil_member
        UNION ALL
        SELECT 'catalog', NULL, max(number), NULL, NULL, NULL, NULL, NULL, NULL FROM public.counterfoil_catalog
        ORDER BY 1, 2
        """
    static let catalog = "SELECT number, bytes FROM public.counterfoil_catalog ORDER BY number DESC LIMIT 1"
}
