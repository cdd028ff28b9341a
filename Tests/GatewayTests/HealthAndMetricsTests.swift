import Contracts
import HTTPTypes
import Testing

@testable import Gateway

@Suite struct `Health and figures` {
    private static let deaf: FakeCaller.Handler = { _, partition throws(Problem) in
        if partition == PartitionAddress(.entitlements, 2) { throw .unanswered } else { nil }
    }

    @Test func `alive means that the process answers, and asks nobody`() async throws {
        let gateway = TestGateway(Self.deaf)
        let response = try await gateway.get("/livez", key: nil)
        #expect(response.status == 200)
        #expect(gateway.caller.calls.isEmpty)
    }

    @Test func `ready means that every partition of every service answers within a second`() async throws {
        let gateway = TestGateway()
        let response = try await gateway.get("/readyz", key: nil)
        #expect(response.status == 200)
        #expect(response.json == .object(["ready": .bool(true)]))
        #expect(gateway.caller.calls.count == ServiceName.allCases.count * TestGateway.partitions)
        #expect(gateway.caller.calls.allSatisfy { $0.milliseconds == 1_000 })
    }

    @Test func `strangers hear no more than whether purchases can be made`() async throws {
        let gateway = TestGateway(Self.deaf, isTestHome: true)
        let (ready, metrics) = (
            try await gateway.get("/readyz", key: nil), try await gateway.get("/metrics", key: nil)
        )
        #expect(ready.status == 503)
        #expect(ready.headers[.retryAfter] == "1")
        #expect(ready.json == .object(["ready": .bool(false)]))
        #expect(metrics.status == 404)
    }

    @Test func `one deaf partition makes it unready, and operators hear which`() async throws {
        let response = try await TestGateway(Self.deaf).getAsOperator("/readyz")
        #expect(response.status == 503)
        #expect(response["ready"] == .bool(false))
        let unready = response.text.matches(of: /"partition":"([^"]*)","ready":false/).map { $0.output.1 }
        #expect(unready == ["/entitlements/2"])
    }

    @Test func `a home for tests says so to operators`() async throws {
        let response = try await TestGateway(isTestHome: true).getAsOperator("/readyz")
        #expect(response["testHome"] == .bool(true))
        #expect(response["extraRoots"] == .integer(1))
    }

    @Test func `purchases cannot be made where operators ask`() async throws {
        let response = try await TestGateway().getAsOperator("/v1/buyers/b1/entitlements")
        #expect(response.status == 404)
        #expect(response.text.contains("/metrics"))
    }

    @Test func `the age of the oldest paid order without its goods comes first, over all partitions`()
        async throws
    {
        let response = try await TestGateway().getAsOperator("/metrics")
        #expect(response.status == 200)
        #expect(response.headers[.contentType]?.hasPrefix("text/plain; version=0.0.4") == true)
        let lines = response.text.split(separator: "\n")
        #expect(lines.first { !$0.hasPrefix("#") } == "counterfoil_paid_ungranted_oldest_seconds 7.5")
        #expect(lines.filter { $0.hasPrefix("counterfoil_paid_ungranted_oldest_seconds") }.count == 1)
        for line in [
            #"counterfoil_partition_outbox{service="receipts",partition="3"} 5"#,
            #"counterfoil_partition_parked_work{service="receipts",partition="3"} 2"#,
            #"counterfoil_orders_issued{service="orders",partition="0"} 9"#,
            #"counterfoil_messages_total{service="orders",partition="0",type="counterfoil.order.issue.v1"} 5"#,
            #"counterfoil_message_seconds_total{service="orders",partition="0",type="counterfoil.order.issue.v1"} 0.00125"#,
            #"counterfoil_alarms_total{service="orders",partition="0",kind="dead_letter"} 1"#,
            #"counterfoil_gateway_in_flight{replica="0",limit="purchases"} 0"#,
            #"counterfoil_gateway_in_flight{replica="0",limit="serverNotifications"} 0"#,
        ] { #expect(lines.contains { $0 == line }, "\(line)") }
    }

    @Test func `a deaf partition is down in the figures, and the others are there`() async throws {
        let response = try await TestGateway(Self.deaf).getAsOperator("/metrics")
        let lines = response.text.split(separator: "\n")
        #expect(lines.contains("counterfoil_partition_up{service=\"entitlements\",partition=\"2\"} 0"))
        #expect(lines.filter { $0.hasPrefix("counterfoil_partition_up") && $0.hasSuffix(" 1") }.count == 15)
        let delayed = #"counterfoil_partition_delayed{service="entitlements",partition="2""#
        #expect(!lines.contains { $0.hasPrefix(delayed) })
    }

    @Test func `many who ask at about the same time make one round of questions`() async throws {
        let gateway = TestGateway()
        let start = ContinuousClock.now
        let statuses = PartitionStatuses(partitions: gateway.context.partitions, now: { start })
        for _ in 0..<5 { _ = try await statuses.entries() }
        #expect(gateway.caller.calls.count == 16)
    }

    /// A gateway whose partitions reply once the latch is opened.
    private static func gateway(_ latch: Latch) -> TestGateway {
        TestGateway { _, _ throws(Problem) in
            await latch.wait()
            return nil
        }
    }

    private static func wait(for count: Int, in statuses: PartitionStatuses) async {
        while statuses.waiting < count { await Task.yield() }
    }

    @Test(.timeLimit(.minutes(5)))
    func `who asks while a round is under way waits for it, and up to a bound nobody is refused`()
        async throws
    {
        let latch = Latch()
        let gateway = Self.gateway(latch)
        let statuses = PartitionStatuses(partitions: gateway.context.partitions)
        let most = PartitionStatuses.maximumWaiting
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0...most { group.addTask { try await statuses.entries().count } }
            await Self.wait(for: most, in: statuses)
            await #expect(throws: Problem.self) { try await statuses.entries() }
            latch.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 16, count: most + 1))
        #expect(gateway.caller.calls.count == 16)
    }

    @Test(.timeLimit(.minutes(5)))
    func `who waits asks anew when the one who asked is gone, and is not told what that one missed`()
        async throws
    {
        let latch = Latch()
        let gateway = Self.gateway(latch)
        let statuses = PartitionStatuses(partitions: gateway.context.partitions)
        let ready = try await withThrowingTaskGroup(of: Bool.self) { group in
            let (gone, hungUp) = AsyncStream<Void>.makeStream()
            group.addTask {
                await withTaskGroup(of: Void.self) { asker in
                    asker.addTask { await Self.ask(statuses) }
                    for await _ in gone {}
                    asker.cancelAll()
                }
                return true
            }
            for await _ in latch.arrivals.prefix(16) {}
            group.addTask { try await statuses.entries().allSatisfy { $0.status != nil } }
            await Self.wait(for: 1, in: statuses)
            hungUp.finish()
            for await _ in latch.arrivals.prefix(16) {}
            latch.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ready == [true, true])
        #expect(gateway.caller.calls.count == 32)
    }

    private static func ask(_ statuses: PartitionStatuses) async {
        do { _ = try await statuses.entries() } catch { Issue.record(error) }
    }
}
