/// What one server of the address says about itself.
enum ServerReport: Hashable {
    /// It was not reached, or said nothing in time.
    case silent(String)
    /// It does not let this login in, and will not the next time.
    case refused(String)
    /// It is of another database than the log's.
    case foreign(String)
    /// It takes no writes.
    case standby(timeline: Int64)
    /// It takes writes. The timeline is nil of an engine that has none, or does not tell it.
    case primary(timeline: Int64?, Durability)
}
