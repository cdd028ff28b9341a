import Contracts
import Program
import Testing

@testable import Gateway

@Suite struct `figures of the commit log` {
    private static let orders = PartitionAddress(.orders, 0)
    private static let receipts = PartitionAddress(.receipts, 1)

    private static func lines(
        _ sight: LogSight?,
        _ positions: [PartitionAddress: Int64] = [:]
    ) -> Set<String> {
        var text = PrometheusText()
        LogMetrics(sight: sight, positions: positions).add(to: &text)
        return Set(text.text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") })
    }

    @Test func `say of a silent one that it is silent, and no more`() {
        #expect(Self.lines(nil) == ["counterfoil_log_up 0"])
    }

    @Test func `have its standbys, and how far the owners and the hosts are`() {
        let sight = LogSight(
            server: "db:5432",
            timeline: 3,
            weakness: nil,
            standbys: [
                .init(name: "db-2", state: "sync", lagBytes: 16), .init(name: "", state: "", lagBytes: nil),
            ],
            heads: [Self.orders: 42, Self.receipts: 7],
            quarantines: [Self.receipts: "an entry is lost"],
            hosts: [
                HostSight(address: "10.0.0.7", replicas: 4, silence: 250),
                HostSight(address: "10.0.0.8", replicas: 4, silence: 0, problem: "it waits"),
                HostSight(address: "10.0.0.9", replicas: 0, silence: nil),
            ]
        )
        let expected: Set = [
            "counterfoil_log_up 1", "counterfoil_log_weak 0", "counterfoil_log_timeline 3",
            "counterfoil_log_standbys 2",
            #"counterfoil_log_standby_lag_bytes{standby="db-2",state="sync"} 16"#,
            #"counterfoil_partition_log_head{service="orders",partition="0"} 42"#,
            #"counterfoil_partition_log_lag{service="orders",partition="0"} 2"#,
            #"counterfoil_partition_log_quarantined{service="orders",partition="0"} 0"#,
            #"counterfoil_partition_log_head{service="receipts",partition="1"} 7"#,
            #"counterfoil_partition_log_quarantined{service="receipts",partition="1"} 1"#,
            #"counterfoil_host_replicas{host="10.0.0.7"} 4"#, #"counterfoil_host_waiting{host="10.0.0.7"} 0"#,
            #"counterfoil_host_silent_seconds{host="10.0.0.7"} 0.25"#,
            #"counterfoil_host_replicas{host="10.0.0.8"} 4"#, #"counterfoil_host_waiting{host="10.0.0.8"} 1"#,
            #"counterfoil_host_silent_seconds{host="10.0.0.8"} 0"#,
            #"counterfoil_host_replicas{host="10.0.0.9"} 0"#, #"counterfoil_host_waiting{host="10.0.0.9"} 0"#,
        ]
        #expect(Self.lines(sight, [Self.orders: 40]) == expected)
    }

    @Test func `say that one machine has all`() {
        let sight = LogSight(
            server: "db:5432",
            timeline: nil,
            weakness: "fsync is off",
            standbys: nil,
            heads: [:]
        )
        #expect(Self.lines(sight) == ["counterfoil_log_up 1", "counterfoil_log_weak 1"])
    }

    @Test func `are there for a group with a log alone`() async throws {
        let without = try await TestGateway().getAsOperator("/metrics")
        #expect(!without.text.contains("counterfoil_log_up"))
        let silent = try await TestGateway(logSight: { nil }).getAsOperator("/metrics")
        #expect(silent.text.contains("\ncounterfoil_log_up 0\n"))
    }
}
