import Contracts
import Testing

@testable import Control
@testable import Program

@Suite struct `a query that misses a partition` {
    private static let silence = CommandFailure(description: "no answer", isSilence: true)

    @Test func `names all that were missed in one line, and exits with 3`() throws {
        let answers = PartitionAnswers<Int>([
            PartitionAddress(.orders, 0): .success(1),
            PartitionAddress(.orders, 3): .failure(Self.silence),
            PartitionAddress(.orders, 1): .failure(Self.silence),
            PartitionAddress(.notifications, 2): .failure(Self.silence),
        ])
        #expect(answers.found.map(\.reply) == [1])
        let missed = answers.missed
        let failure = try #require(throws: CommandFailure.self) { try missed.check("the list") }
        #expect(failure.exitCode == 3)
        let silent = "the list is not complete: /orders/1,3 /notifications/2 did not answer (no answer)"
        #expect(failure.description == silent)
    }

    @Test func `one that misses none says nothing`() throws {
        let answers = PartitionAnswers([PartitionAddress(.orders, 0): .success(1)])
        #expect(throws: Never.self) { try answers.missed.check("the list") }
    }

    @Test func `a report of a reconciliation knows whom it could not ask`() {
        var report = ReconciliationReport(isDryRun: false)
        let address = PartitionAddress(.receipts, 2)
        let silence = CommandFailure(description: "silent", isSilence: true, missed: address)
        report.note(silence, about: "a game")
        #expect(report.problems == ["a game: silent"])
        #expect(report.missed.failures == [address: silence])
    }
}

@Suite struct `data that is sent` {
    @Test func `a fault of its JSON has line and column`() {
        let failure = #expect(throws: CommandFailure.self) { try RequestData("{\n\"orderId\": x}") }
        #expect(failure?.exitCode == 2)
        let place = "--data is not JSON: line 2, column 12: 'x' is where a value should be"
        #expect(failure?.description == place)
        let array = #expect(throws: CommandFailure.self) { try RequestData("[]") }
        #expect(array?.description.hasPrefix("--data must be an object") == true)
    }

    @Test(arguments: [
        (#"{"bundleId":"com.example.game","orderId":7}"#, "42: orderId is 7, which is not an order's id"),
        (#"{"orderId":"nonsense"}"#, #"12: orderId is "nonsense", which is not an order's id"#),
        (#"{"bundleId":"a b","buyerId":"ada"}"#, #"13: bundleId is "a b", which is not a bundle id"#),
        (#"{"bundleId":"a","buyerId":{}}"#, "27: buyerId is an object, which is not a buyer's id"),
    ])
    func `a value that leads to no partition is named`(text: String, says: String) throws {
        #expect(try RequestData(text).routingProblem == "--data: line 1, column \(says)")
    }

    @Test func `a value that a partition refuses is named with its place`() throws {
        let data = try RequestData(#"{"orderId":"x","items":[{"quantity":"two"}]}"#)
        var failure = CommandFailure(description: "/orders/0 refuses")
        failure.refusal = RequestRefusal(.invalid, "data.items[0].quantity must be a whole number")
        let place = #"/orders/0 refuses; --data: line 1, column 37: items[0].quantity is "two""#
        #expect(data.located(failure).description == place)
        failure.refusal = RequestRefusal(.invalid, "unknown type")
        #expect(data.located(failure).description == "/orders/0 refuses")
    }
}

@Suite struct `asking the running up` {
    @Test(.temporaryFolder) func `one that says nothing is not waited for longer than the deadline`() throws {
        let home = Home(root: try TemporaryFolder.current())
        try home.makeFolders()
        let listener = try UnixSocket.listen(at: home.upSocket)
        let failure = try #require(throws: CommandFailure.self) {
            try RunningGroup(home: home, systemd: "").carryOut(.down, "the end", within: 200)
        }
        withExtendedLifetime(listener) {}
        #expect(failure.exitCode == 1)
        #expect(failure.description.hasPrefix("the end is not done after 0 s"), "\(failure)")
    }

    @Test func `what is waited for is reported once, until it is something else`() {
        func replica(_ program: GroupProgram, well: Bool, _ problem: String? = nil) -> SupervisorReply.Replica
        {
            .init(program: program, replica: 0, isWell: well, state: "starting", problem: problem)
        }
        var progress = GroupProgress()
        let starting = SupervisorReply(replicas: [
            replica(.orders, well: true), replica(.gateway, well: false),
        ])
        #expect(progress.line(of: starting) == "gateway.0 (starting)")
        #expect(progress.line(of: starting) == nil)
        let failing = SupervisorReply(replicas: [
            replica(.gateway, well: false, "ended with exit code 1: no room")
        ]
        )
        #expect(progress.line(of: failing) == "gateway.0 (ended with exit code 1: no room)")
        #expect(progress.line(of: SupervisorReply()) == nil)
        progress.otherwise = "the partitions"
        #expect(progress.line(of: SupervisorReply()) == "the partitions")
        #expect(progress.last == "the partitions")
    }
}
