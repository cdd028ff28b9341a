/// What the log holds after so many purchases.
struct LogSample: Encodable {
    let purchases: Int
    /// Of all tables of the log, with their indexes.
    let tableBytes: Int
    /// Entries that are not pruned, of all partitions.
    let keptEntries: Int
    let snapshots: Int
    /// Of the snapshots that are kept, as their stores have them.
    let snapshotBytes: Int
    /// Of the stores of all services, without their write-ahead logs.
    let storeBytes: Int

    init(_ meter: LogMeter, purchases: Int) {
        self.purchases = purchases
        tableBytes = meter.allTableBytes
        keptEntries = meter.keptEntries
        snapshots = meter.snapshots
        snapshotBytes = meter.snapshotBytes
        storeBytes = meter.storeBytes
    }
}
