/// The replicas of all programs on all hosts of a group, as one replica writes and reads them.
///
/// Calls may block, and come from one thread.
package protocol MemberRecords: Sendable {
    /// This host; another one at each host of the group.
    var host: String { get }

    /// What this replica says of itself before it has looked at the others.
    var word: MemberWord { get }

    /// Raises this replica's counter, and tells its word.
    ///
    /// - Throws: `LogFault`.
    func announce(_ word: MemberWord) throws

    /// Strikes this replica, if the log answers.
    func withdraw()

    /// All replicas that were announced and have not left, this one included, and when that was asked for, in ms.
    ///
    /// All who ask share what was read last, if it was asked for at `uptime` or later, by a clock that only moves
    /// forward.
    ///
    /// - Throws: `LogFault`.
    func signs(notBefore uptime: Int64) throws -> (signs: [MemberSign], began: Int64)
}
