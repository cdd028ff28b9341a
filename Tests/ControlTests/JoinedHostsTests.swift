import Delivery
import Testing

@testable import Program

@Suite struct `a copy from which a host joins` {
    /// Hosts are letters, and their own keys.
    private static func wire(_ hosts: String) -> Configuration.Wire {
        .init(hosts: hosts.map { .init(address: "host-\($0)", keys: [String($0)]) })
    }

    private static func replica(_ host: String, silence: Int64 = 400) -> MemberSign {
        let word = MemberWord(key: host, admits: ["a", "b", "c"])
        let member = GroupMember("orders", host: "host-\(host)", replica: 0)
        return MemberSign(member, counter: 7, word: word, silence: silence)
    }

    @Test func `is refused for an hour if it lacks a host that has joined`() {
        let joined = { (age: Int64) in JoinedHosts.Joined(address: "host-c", key: "c", age: age) }
        let problem = JoinedHosts.problem(of: Self.wire("ab"), [joined(120_000)], [])
        #expect(problem?.hasPrefix("lacks the host host-c, which has joined 2 min ago; ") == true)
        #expect(JoinedHosts.problem(of: Self.wire("abc"), [joined(120_000)], []) == nil)
        #expect(JoinedHosts.problem(of: Self.wire("ab"), [joined(3_600_000)], []) == nil, "it may have left")
    }

    @Test func `is refused if it lacks a host that runs`() {
        let running = [Self.replica("b"), Self.replica("c")]
        let problem = JoinedHosts.problem(of: Self.wire("ab"), [], running)
        #expect(problem?.hasPrefix("lacks the key of the host host-c, which runs; copy the newest") == true)
        #expect(JoinedHosts.problem(of: Self.wire("abc"), [], running) == nil)
    }

    @Test func `may lack a dead host, also one that others still let in`() {
        let dead = [Self.replica("a"), Self.replica("c", silence: 10_000)]
        #expect(JoinedHosts.problem(of: Self.wire("ab"), [], dead) == nil)
    }
}
