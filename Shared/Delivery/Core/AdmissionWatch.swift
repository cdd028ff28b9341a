/// What keeps a replica from taking partitions: its host and another one that takes part do not let each other in.
///
/// Nobody could speak to such an owner. It decides only who waits; who owns what, the log decides. Once a process takes
/// part, it does so to its end: who comes later waits, and puts out nobody who works.
///
/// | a replica of another host | keeps this one waiting |
/// |---|---|
/// | takes part | unless both let each other in |
/// | waits, but for nobody who takes part; or is a gateway that all of those let in | unless it lets this one in |
/// | waits for somebody who takes part | never |
/// | kept it waiting, and left or went silent | for a minute more: it may start again with the same configuration |
/// | has not moved since this process began, and was silent before | never: its host died, or has left the group |
struct AdmissionWatch: Sendable {
    /// What has to be put right, and at which host.
    enum Obstacle: Hashable, Sendable {
        /// That host does not let this one in.
        case refused(by: String)
        /// This host does not let that one in.
        case unknown(String)

        /// For people.
        var text: String {
            switch self {
            case .refused(let host):
                "host \(host) does not admit this host yet: copy counterfoil.json there and restart"
            case .unknown(let host):
                "counterfoil.json does not name the key of host \(host): copy the newest one here and restart"
            }
        }
    }

    static let memoryMilliseconds: Int64 = 60_000
    static let longSilenceMilliseconds: Int64 = 10_000

    private var firstCounters: [GroupMember: Int64] = [:]
    private var obstacles: [GroupMember: (obstacle: Obstacle, at: Int64)] = [:]

    /// What keeps the replica with this word waiting among living replicas of other hosts; nil if nothing does.
    mutating func obstacle(for word: MemberWord, among living: [MemberSign], at uptime: Int64) -> Obstacle? {
        let present = present(living)
        let partners = present.map(\.word).filter(\.isIn)
        for sign in present {
            let found = Self.obstacle(for: word, at: sign, partners: partners)
            obstacles[sign.member] = found.map { ($0, uptime) }
        }
        obstacles = obstacles.filter { uptime - $0.value.at < Self.memoryMilliseconds }
        // Always the same one of several, so that it is told once.
        return obstacles.values.map(\.obstacle).min { $0.text < $1.text }
    }

    /// Those without what a host has left that died before this process began.
    mutating func present(_ living: [MemberSign]) -> [MemberSign] {
        living.filter { sign in
            let first = firstCounters[sign.member] ?? sign.counter
            firstCounters[sign.member] = first
            return first != sign.counter || sign.silence < Self.longSilenceMilliseconds
        }
    }

    private static func obstacle(
        for word: MemberWord,
        at sign: MemberSign,
        partners: [MemberWord]
    ) -> Obstacle? {
        let host = sign.member.host
        guard sign.word.isIn || partners.allSatisfy(sign.word.isMutual) else { return nil }
        if !sign.word.admits.contains(word.key) { return .refused(by: host) }
        return sign.word.isIn && !word.admits.contains(sign.word.key) ? .unknown(host) : nil
    }

    /// Those of `living` that take partitions, or are about to, as a replica with this word sees them.
    static func partners(of word: MemberWord, among living: [MemberSign]) -> [GroupMember] {
        let partners = [word] + living.map(\.word).filter(\.isIn)
        return living.filter { $0.word.isIn || partners.allSatisfy($0.word.isMutual) }.map(\.member)
    }
}
