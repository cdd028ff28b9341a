import Contracts
import Delivery
import Foundation
import Testing

@testable import Control
@testable import Program

@Suite struct `the status of several hosts` {
    private static let wire = Configuration.Wire(
        hosts: ["10.0.0.7", "10.0.0.8", "10.0.0.9"].map { .init(address: $0, keys: [$0]) }
    )

    private static func sign(
        _ host: String,
        _ program: String = "orders",
        silence: Int64,
        waitsFor: String? = nil
    ) -> MemberSign {
        var word = MemberWord(key: host, admits: [])
        word.waitsFor = waitsFor
        let member = GroupMember(program, host: host, replica: 0)
        return MemberSign(member, counter: 1, word: word, silence: silence)
    }

    private static func lines(_ signs: MemberSign...) -> [String] {
        HostSight.all(of: wire, signs).map { HostReport($0).line }
    }

    @Test func `says of each host how many replicas give signs, and how long it is silent`() {
        let lines = Self.lines(
            Self.sign("10.0.0.7", silence: 420),
            Self.sign("10.0.0.7", "receipts", silence: 4_999),
            Self.sign("10.0.0.7", "gateway", silence: 0),
            Self.sign("10.0.0.8", silence: 34_900),
            Self.sign("10.0.0.8", "receipts", silence: 34_100),
            Self.sign("10.0.0.9", "gateway", silence: 34_100)
        )
        #expect(
            lines == [
                "host 10.0.0.7: 2 replicas of services, the last sign 420 ms ago",
                "HOST 10.0.0.8 IS SILENT for 34 s", "HOST 10.0.0.9: no service runs there",
            ]
        )
    }

    @Test func `says what a host waits for, and which one the configuration does not name`() {
        let lines = Self.lines(
            Self.sign("10.0.0.9", silence: 10, waitsFor: "host 10.0.0.7 does not admit this host yet"),
            Self.sign("10.0.0.5", silence: 10),
            Self.sign("10.0.0.4", silence: 60_000)
        )
        let state = "1 replica of services, the last sign 10 ms ago"
        #expect(lines[2] == "HOST 10.0.0.9: host 10.0.0.7 does not admit this host yet; \(state)")
        #expect(lines.count == 4, "one that is gone needs no line")
        #expect(lines[3].hasPrefix("HOST 10.0.0.5: wire.hosts of counterfoil.json here does not name it; "))
    }

    @Test func `names the host of each owner, also of one that does not answer`() throws {
        let (first, second) = (PartitionAddress(.orders, 0), PartitionAddress(.orders, 1))
        let sight = LogSight(
            server: "db:5432",
            timeline: 3,
            weakness: nil,
            standbys: nil,
            heads: [:],
            hosts: HostSight.all(of: Self.wire, [Self.sign("10.0.0.7", silence: 420)]),
            owners: [first: "10.0.0.7", second: "10.0.0.8"]
        )
        let status = ScriptedGroup.status(of: first)
        let report = StatusReport(
            answers: PartitionAnswers([
                first: .success(status), second: .failure(CommandFailure(description: "silent")),
            ]),
            replicas: [],
            isTestHome: false,
            log: LogReport(sight)
        )
        let text = report.text
        #expect(text.contains("\nhost 10.0.0.7: 1 replica of services, the last sign 420 ms ago\n"))
        #expect(text.contains("10.0.0.7 pid \(status.pid)"))
        #expect(text.contains("10.0.0.8 no answer"))
        let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        #expect(json.contains(#""host":"10.0.0.8""#))
        #expect(json.contains(#""silentMs":420"#))
    }
}
