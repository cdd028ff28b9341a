import AppStoreSigning
import Foundation
import LoadVerdict
import NIOConcurrencyHelpers
import TestKit
import Testing

@testable import LoadGenerator

/// Phones that are processes, right ones and broken ones, before a gateway that grants what is paid.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `a phone that is a process` {
    private static let python = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "deploy/examples/clients/python/client.py")

    private static let coins = Product(id: "coins.120", amount: 120)

    /// What the load generator says of one customer's purchase.
    private static func report(
        _ command: [String],
        habit: Habit = .plain,
        deaths: [KitWatch.Death] = [],
        failures: Int = 0,
        patience: Double = 60
    ) async throws -> LoadReport {
        let folder = FileManager.default.temporaryDirectory.appending(path: "phone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(at: folder) } catch {} }
        let gateway = GrantingGateway(failures: failures)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await gateway.run() }
            let url = await gateway.url()
            let gate = try KitGate(to: url, apiKey: "key")
            let schedule = Schedule(purchases: 1, seconds: nil, rate: 0, drain: patience)
            schedule.close()
            let buyers = ["load-\(UInt32.random(in: 0 ... .max))-0", "other"]
            let context = LoadContext(
                client: try GatewayClient(url: url, bundleID: "com.example.game", apiKey: "key"),
                signer: try AppStoreSigner(stateFolder: folder.path(percentEncoded: false)),
                appStore: nil,
                journal: try Journal(path: folder.appending(path: "journal").path(percentEncoded: false)),
                audit: NIOLockedValueBox(Audit(products: [coins], buyers: buyers)),
                schedule: schedule,
                buyers: buyers,
                assortment: Assortment(consumables: [coins], restorable: coins),
                products: [coins],
                scripts: ScriptGenerator(
                    shares: Shares(parts: habit == .plain ? [:] : [habit: 1]),
                    seed: 1
                )
            )
            group.addTask { try await gate.run(context) }
            await gate.awaitListening()
            let customer = KitCustomer(
                context: context,
                script: context.scripts.script(0, buyers: buyers.count, of: context.assortment),
                kit: KitPhones(command: command, gate: gate),
                deaths: deaths
            )
            try await customer.play()
            for buyer in buyers.indices { _ = await context.readLedger(of: buyer) }
            group.cancelAll()
            return context.note { $0.report(seconds: 1) }
        }
    }

    /// The Python sample with a rule broken.
    private static func broken(_ right: String, _ wrong: String) throws -> [String] {
        let text = try String(contentsOf: python, encoding: .utf8)
        try #require(text.components(separatedBy: right).count == 2, "the client has this not once: \(right)")
        let file = FileManager.default.temporaryDirectory.appending(path: "client-\(UUID().uuidString).py")
        try text.replacing(right, with: wrong).write(to: file, atomically: true, encoding: .utf8)
        return ["python3", file.path(percentEncoded: false)]
    }

    @Test(
        arguments: [
            [], [.sending], [.atPoint(1), .sending], [.atPoint(3), .atPoint(5), .atPoint(8)],
            [.after(milliseconds: 20), .sending, .sending],
        ] as [[KitWatch.Death]]
    )
    func `With the kit it loses nothing, and finishes nothing too early, wherever it dies`(
        deaths: [KitWatch.Death]
    ) async throws {
        let command = [try Executables.path("kit-phone")]
        let report = try await Self.report(command, deaths: deaths, failures: 1)
        #expect(report.isClean, "\(report.faults)")
        #expect((report.purchases, report.granted) == (1, 1))
        // The last of many may come when everything is done.
        #expect(report.phoneDeaths >= min(deaths.count, 2))
    }

    @Test(arguments: [(Habit.tokenTwice, 2), (.late, 1), (.duplicates, 1)])
    func `With the kit each habit ends well`(habit: Habit, purchases: Int) async throws {
        let report = try await Self.report([try Executables.path("kit-phone")], habit: habit)
        #expect(report.isClean, "\(report.faults)")
        #expect((report.purchases, report.granted) == (purchases, purchases))
    }

    @Test func `One that finishes before it sends is told of`() async throws {
        let sends = "self.submit(id, self.kept.proofs[id], attempt)"
        let command = try Self.broken(sends, #"say({"finish": id}); "# + sends)
        let report = try await Self.report(command)
        #expect(report.faults == ["finishTooEarly": 1])
        try FileManager.default.removeItem(atPath: command[1])
    }

    @Test func `One that forgets the proof when it dies is told of`() async throws {
        let keeps = #"        """All of it or nothing, whenever the phone dies.""""#
        let command = try Self.broken(keeps, "        return")
        let report = try await Self.report(command, deaths: [.sending], failures: 1, patience: 3)
        #expect(report.faults == ["lost": 1, "unfinished": 1])
        try FileManager.default.removeItem(atPath: command[1])
    }
}
