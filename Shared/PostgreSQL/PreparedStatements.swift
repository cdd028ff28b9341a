/// The statements that the server's process keeps parsed for one session, each under a name of its own.
///
/// Reading and planning an append costs the server a third of its time, and it is the same each time. A name belongs
/// to one process of the server: behind a pooler the next statement may reach another one, which says SQLSTATE 26000
/// and does nothing. Then it is sent by its text, and so is everything after it. A pooler that keeps names itself does
/// not know `DEALLOCATE`, and comes to the same after the first few hundred.
///
/// A plan that was made while a table was empty reads all of it. So each name is used a few hundred times only.
struct PreparedStatements {
    /// How a statement is sent.
    enum Form: Hashable {
        case text
        /// It is parsed under this name first, behind the end of another name.
        case new(name: String, ending: String?)
        case name(String)
    }

    /// How often a name is used.
    static let maximumUses = 256
    /// What is said of a name, and not of the statement: it is not known (26000), it is known already (42P05), or its
    /// plan is of a table that is another one now (0A000).
    static let faults: Set = ["26000", "42P05", "0A000"]

    /// How each name begins; no other session has it.
    private let prefix: String
    private var count = 0
    private var names: [String: (name: String, uses: Int)] = [:]
    private var areKept = true

    init(prefix: String) { self.prefix = prefix }

    /// How the statement with this text is sent now.
    mutating func form(of sql: String) -> Form {
        guard areKept else { return .text }
        if let known = names[sql], known.uses < Self.maximumUses {
            names[sql] = (known.name, known.uses + 1)
            return .name(known.name)
        }
        count += 1
        return .new(name: "\(prefix)_\(count)", ending: names.removeValue(forKey: sql)?.name)
    }

    /// The server has parsed the text.
    mutating func note(_ name: String, of sql: String) { names[sql] = (name, 1) }

    /// A name was not known: from now on each statement is sent by its text.
    mutating func giveUp() { (areKept, names) = (false, [:]) }
}
