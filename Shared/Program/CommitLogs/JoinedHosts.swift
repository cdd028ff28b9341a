import Database
import Delivery
import FoundationEssentials
import PostgreSQL
package import ZeroMQ

/// The hosts that have joined a group, by rows of its log: a copy of `counterfoil.json` that lacks one is not the
/// newest.
///
/// Two hosts that join from the same copy would lose one another. It is an aid: what is old counts no more, so that a
/// host that was removed does not come back by it.
///
/// | a row of | counts |
/// |---|---|
/// | a host that has joined, at another address | for an hour |
/// | a program, with the key of its host | until it has been silent for 10 s |
package struct JoinedHosts {
    /// A host that has joined.
    struct Joined: Hashable {
        let address: String
        let key: String
        /// Since then, in ms.
        let age: Int64
    }

    static let joinedMilliseconds: Int64 = 3_600_000
    static let livingMilliseconds: Int64 = 10_000
    private static let prefix = "join/"

    private let log: GroupLog

    package init(_ log: GroupLog) { self.log = log }

    /// Refuses to add the host of an address to what is not the newest.
    ///
    /// - Throws: `ConfigurationError`.
    package func check(_ wire: Configuration.Wire, besides address: String) throws(ConfigurationError) {
        if let problem = try problem(of: wire, besides: address) { throw Self.refusal(problem) }
    }

    private static func refusal(_ problem: String) -> ConfigurationError {
        ConfigurationError(file: "counterfoil.json", member: "wire.hosts", problem: problem)
    }

    private func problem(
        of wire: Configuration.Wire,
        besides address: String
    ) throws(ConfigurationError) -> String? {
        let rows: [GroupRecords.Member]
        do throws(LogFault) {
            rows = try GroupRecords(log.connection()).view().members
        } catch {
            throw log.refusal(error)
        }
        let joined = rows.compactMap { row in
            row.name.hasPrefix(Self.prefix)
                ? row.word.map {
                    Joined(
                        address: String(row.name.dropFirst(Self.prefix.count)),
                        key: $0.key,
                        age: row.silence
                    )
                } : nil
        }
        let others = joined.filter { $0.address != address }
        return Self.problem(of: wire, others, rows.compactMap(\.sign))
    }

    /// Tells those who join later of a host that has joined, unless another one joins at the same time.
    ///
    /// Each tells first and looks then: of two that `check` has let pass together one at least sees the other, and
    /// gives way.
    ///
    /// - Throws: `ConfigurationError`; what encoding throws.
    package func note(_ wire: Configuration.Wire, with key: CurvePublicKey, at address: String) throws {
        let word = MemberWord(key: key.description, admits: Set(wire.hosts.flatMap(\.keys)))
        let bytes = [UInt8](try JSONEncoder().encode(word))
        let (records, name) = (GroupRecords(log.connection()), Self.prefix + address)
        do throws(LogFault) {
            try records.announce(name, bytes)
        } catch {
            throw log.refusal(error)
        }
        guard try problem(of: wire, besides: address) != nil else { return }
        do throws(LogFault) {
            try records.withdraw(name)
        } catch {
            throw log.refusal(error)
        }
        throw Self.refusal(
            "may lack a host that joins at this moment; join again, from the counterfoil.json that it has made, or "
                + "from this one if it was refused, too"
        )
    }

    /// Why the hosts of a wire are not the newest; nil if nothing says so.
    static func problem(
        of wire: Configuration.Wire,
        _ joined: [Joined],
        _ replicas: [MemberSign]
    ) -> String? {
        let known = Set(wire.hosts.flatMap(\.keys))
        if let other = joined.first(where: { $0.age < joinedMilliseconds && !known.contains($0.key) }) {
            return "lacks the host \(other.address), which has joined \(other.age / 60_000) min ago; "
                + "copy the newest counterfoil.json, which is there"
        }
        let other = replicas.first { $0.silence < livingMilliseconds && !known.contains($0.word.key) }
        return other.map {
            "lacks the key of the host \($0.member.host), which runs; copy the newest counterfoil.json, or, if "
                + "the host is to leave the group, `counterfoil down` there first"
        }
    }
}
