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

    var text: String { state.isEmpty ? message : "\(message) (SQLSTATE \(state))" }
}
