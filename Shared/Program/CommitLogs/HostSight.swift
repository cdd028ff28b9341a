import Contracts
package import Delivery

/// A host of a group at one time, by its replicas' rows in the log.
package struct HostSight: Hashable, Sendable {
    /// After so long without a sign a replica does not count, in ms.
    package static let silenceMilliseconds: Int64 = 5_000

    /// As `wire.hosts` has it.
    package let address: String
    /// How many replicas of services have given a sign lately.
    package let replicas: Int
    /// Since when none has, in ms by PostgreSQL's clock; nil of a host of which there is no row.
    package let silence: Int64?
    /// Why it takes no partition, or should not be there; nil if all is well.
    package let problem: String?

    package init(address: String, replicas: Int, silence: Int64?, problem: String? = nil) {
        self.address = address
        self.replicas = replicas
        self.silence = silence
        self.problem = problem
    }

    /// The hosts of a wire, and those that run without being named there.
    package static func all(of wire: Configuration.Wire, _ signs: [MemberSign]) -> [HostSight] {
        let named = wire.hosts.map(\.address)
        let others = Set(signs.filter { $0.silence < silenceMilliseconds }.map(\.member.host))
            .subtracting(named)
        let strangers = others.sorted().map { address in
            HostSight(address, signs, problem: "wire.hosts of counterfoil.json here does not name it")
        }
        return named.map { HostSight($0, signs) } + strangers
    }

    private init(_ address: String, _ signs: [MemberSign], problem: String? = nil) {
        let own = signs.filter {
            $0.member.host == address && ServiceName(rawValue: $0.member.program) != nil
        }
        let living = own.filter { $0.silence < Self.silenceMilliseconds }
        self.address = address
        replicas = living.count
        // The clock of a new primary may be behind.
        silence = own.map { max(0, $0.silence) }.min()
        self.problem = problem ?? living.compactMap(\.word.waitsFor).min()
    }
}
