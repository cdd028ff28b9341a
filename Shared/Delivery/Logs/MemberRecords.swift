/// The replicas of one service on all hosts of a group, as one replica writes and reads them.
///
/// Calls may block, and come from one thread.
package protocol MemberRecords: Sendable {
    /// This host; another one at each host of the group.
    var host: String { get }

    /// Raises this replica's counter.
    ///
    /// - Throws: `LogFault`.
    func announce() throws

    /// Strikes this replica, if the log answers.
    func withdraw()

    /// All replicas that were announced and have not left, this one included.
    ///
    /// - Throws: `LogFault`.
    func signs() throws -> [MemberSign]
}
