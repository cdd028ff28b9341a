import Delivery
import Glibc
import TestKit
import Testing

extension WholeGroup {
    /// What is left when a process dies at the worst of moments.
    @Suite struct CrashPointTests {
        /// One run of a group in which each of these processes dies once, at the point named.
        struct Run: CustomTestStringConvertible {
            let deaths: [(program: String, point: CrashPoint, count: Int)]
            /// Partitions must change hands, so that points of taking over and leaving are passed under load.
            let movesPartitions: Bool

            var testDescription: String {
                deaths.map { "\($0.program).\($0.point.rawValue)" }.joined(separator: ", ")
            }

            var setting: String {
                deaths.map { "\($0.program).\($0.point.rawValue):\($0.count)" }.joined(separator: ",")
            }
        }

        static let partitions = 2
        /// How often a point of the batch is passed before the process dies there: well under load.
        static let batches = 60

        /// Every point of every service, four or five processes in each run.
        static let runs: [Run] = (CrashPoint.ofPartitions + [.beforeUnlock]).enumerated().map {
            index,
            point in
            let isMove = [CrashPoint.afterLock, .afterEpoch, .beforeUnlock].contains(point)
            // Of taking over, the first ones are the start; the next is that of a partition that comes back.
            let count = point == .beforeUnlock ? 1 : isMove ? partitions + 1 : batches
            var deaths = Executables.services.map { (program: $0, point: point, count: count) }
            if point == .afterDelivery {
                // Notifications sends on no link; what it sends are webhooks.
                deaths.removeAll { $0.program == "notifications" }
                deaths.append(("notifications", .afterWork, 20))
            }
            let edges = CrashPoint.ofGateway
            if !isMove, index >= 2, index - 2 < edges.count {
                deaths.append(("gateway", edges[index - 2], batches))
            }
            return Run(deaths: deaths, movesPartitions: isMove)
        }

        @Test func `no point at which a process is killed is left out`() {
            for service in Executables.services {
                let killed = Set(Self.runs.flatMap(\.deaths).filter { $0.program == service }.map(\.point))
                let unreachable: Set<CrashPoint> = service == "notifications" ? [.afterDelivery] : []
                #expect(killed.isSuperset(of: Set(CrashPoint.ofPartitions).subtracting(unreachable)))
            }
            let edge = Self.runs.flatMap(\.deaths).filter { $0.program == "gateway" }.map(\.point)
            #expect(Set(edge) == Set(CrashPoint.ofGateway))
            #expect(Self.runs.flatMap(\.deaths).contains { $0.point == .afterWork })
        }

        @Test(.timeLimit(.minutes(2)), arguments: runs)
        func `nothing is lost and nothing doubled when processes are killed at these points under load`(
            _ run: Run
        ) async throws {
            let backend = try await WebhookBackend()
            try await TestGroup.use(
                partitions: Self.partitions,
                webhook: backend.url,
                environment: ["COUNTERFOIL_CRASH_AT": run.setting]
            ) { group in
                let bought = try await Crowd.buying(group) { crowd in
                    #expect(!group.up.output.contains("was ended by signal"), "died before there was load")
                    try await crowd.buys(20)
                    if run.movesPartitions { try await movePartitions(run, group) }
                    for death in run.deaths { try await dies(death.program, group) }
                    try await crowd.buys(40)
                }
                try await group.rest()
                try await group.verify(bought)
                try await backend.receives(bought)
                print("killed under load of \(bought.count) purchases: \(run.testDescription)")
            }
        }

        /// Waits until the program's first life was ended by SIGKILL, by no hand of ours, and a second one runs.
        private func dies(_ program: String, _ group: TestGroup) async throws {
            let name = "\(program).0"
            try await eventually("\(name) dies at its point", within: .seconds(30)) {
                hasDied(program, group)
            }
            #expect(!group.up.output.contains("and is killed"), "up killed it, not its point")
            try await eventually("\(name) runs again") {
                group.up.output.split(separator: "\n").filter { $0.contains("\(name) started") }.count >= 2
            }
        }

        /// Gives half of the partitions to a second replica, and takes them back.
        private func movePartitions(_ run: Run, _ group: TestGroup) async throws {
            for service in Executables.services {
                try await group.scale(service, to: 2)
                try await eventually("both replicas of \(service) own a partition") {
                    try await group.owners(of: service) == 2 || hasDied(service, group)
                }
                try await group.scale(service, to: 1)
            }
        }

        private func hasDied(_ service: String, _ group: TestGroup) -> Bool {
            group.up.output.split(separator: "\n").contains {
                $0.contains("\(service).0 (pid") && $0.contains("was ended by signal \(SIGKILL)")
            }
        }
    }
}

extension CrashPoint {
    static let ofPartitions: [CrashPoint] = [
        .afterLock, .afterEpoch, .beforeCommit, .afterCommit, .afterReply, .afterSettle, .afterDelivery,
    ]
    static let ofGateway: [CrashPoint] = [.beforeRequest, .afterRequest, .beforeAnswer]
    /// In their order.
    static let ofRestore: [CrashPoint] = [
        .restoreStaged, .restoreRedriven, .restoreUnlinked, .restoreReplaced,
    ]
}
