/// What PostgreSQL says when it does not do a statement.
struct ServerFault: Error, Hashable {
    /// What a fault says about the statement, which is a transaction by itself.
    enum Meaning: Hashable, CaseIterable {
        /// It was rolled back; it may succeed later.
        case undone
        /// It was rolled back, because this server takes no writes; another one may.
        case elsewhere
        /// It was rolled back, and will be again.
        case forbidden
        /// Nothing: it may be done or not.
        case unsure
    }

    /// `ERROR`, `FATAL` or `PANIC`, in no other language.
    let severity: String
    /// Five characters, as in the appendix "Error Codes" of PostgreSQL's manual; empty if the library itself speaks.
    let state: String
    let message: String

    /// The meaning by this table; the first line that fits counts.
    ///
    /// | severity or SQLSTATE | meaning |
    /// |---|---|
    /// | 25006 read only | `elsewhere` |
    /// | anything but `ERROR`: the connection ends, perhaps between COMMIT and its answer | `unsure` |
    /// | none; 40003 completion unknown; 08 connection; 57P shutdown; 58, F0, XX: system | `unsure` |
    /// | 0A, 22, 23, 28, 3D, 3F, 42, 54: rights, names, values, sizes | `forbidden` |
    /// | all others: full, cancelled, deadlock … | `undone` |
    var meaning: Meaning {
        if state == "25006" { return .elsewhere }
        guard severity == "ERROR", state.utf8.count == 5 else { return .unsure }
        if state == "40003" || state.hasPrefix("57P") { return .unsure }
        switch state.prefix(2) {
        case "08", "58", "F0", "XX": return .unsure
        case "0A", "22", "23", "28", "3D", "3F", "42", "54": return .forbidden
        default: return .undone
        }
    }

    /// Whether the server does not let this login in, and will not the next time: the user, the password, the database,
    /// or the server's rules are other ones.
    var refusesLogin: Bool {
        severity == Self.fatal && (state.hasPrefix("28") || state == "3D000" || state == "42501")
    }

    var text: String { state.isEmpty ? message : "\(message) (SQLSTATE \(state))" }
}

extension ServerFault {
    private static let fatal = "FATAL"

    /// What a server has said in place of letting somebody in; nil if none has said anything.
    ///
    /// `message` is libpq's, at its verbose level: `FATAL:  28P01: password authentication failed for user "a"`.
    init?(ofLogin message: String) {
        let lines = message.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }
        let text = lines.joined(separator: "; ")
        guard let state = text.split(separator: ":").lazy.compactMap(Self.state).first else { return nil }
        severity = Self.fatal
        self.state = state
        self.message = text.replacing("  \(state): ", with: "  ", maxReplacements: 1)
    }

    /// Five digits and capitals behind two spaces.
    private static func state(_ part: Substring) -> String? {
        let digits = part.dropFirst(2)
        guard part.hasPrefix("  "), digits.utf8.count == 5, digits.utf8.allSatisfy(isOfState) else {
            return nil
        }
        return String(digits)
    }

    private static func isOfState(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
