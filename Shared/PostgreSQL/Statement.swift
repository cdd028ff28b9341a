/// One statement as it is sent, a transaction by itself.
struct Statement {
    let sql: String
    let parameters: [Parameter]
    /// Whether its columns come in binary.
    var wantsBytes = false
    /// Whether the server's settings are asked for behind it, in a transaction of their own and on the same trip.
    ///
    /// Only what holds *after* a COMMIT says what its acknowledgement is worth: a server that is told to wait for no
    /// standby any more acknowledges all that waits, without a warning.
    var asksSettings = false
    /// Whether it is sent again and again, so that the server does well to keep it parsed.
    var isFrequent = false

    init(
        _ sql: String,
        _ parameters: [Parameter] = [],
        wantsBytes: Bool = false,
        asksSettings: Bool = false,
        isFrequent: Bool = false
    ) {
        self.sql = sql
        self.parameters = parameters
        self.wantsBytes = wantsBytes
        self.asksSettings = asksSettings
        self.isFrequent = isFrequent
    }
}

/// One value of a statement.
enum Parameter: Hashable {
    case text(String)
    case number(Int64)
    case bytes([UInt8])

    var isBytes: Bool { if case .bytes = self { true } else { false } }
}
