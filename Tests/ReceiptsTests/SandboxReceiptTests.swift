import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Rule: what costs nothing keeps nobody waiting who has paid, however much of it is handed in.
@Suite struct `a question about a receipt` {
    private let group: ReceiptsGroup
    private let apple: AskedApple
    private let home = ReceiptsGroup.partition(of: Sample.alice)

    init() throws { (group, apple) = try ReceiptsGroup.asking() }

    private func submit(_ environments: String...) throws {
        let listed = environments.enumerated().map { number, environment in
            Sample.transaction("\(number + 5)", environment: environment, signed: 1)
        }
        group.proofs.contents["receipt"] = .success(listed)
        _ = try group.submit("receipt", by: Sample.alice, kind: .appReceipt)
    }

    private func urgencies(_ partition: Int) throws -> [[Value]] {
        try group.rows("SELECT urgency FROM apple_query", partition: partition)
    }

    private func value(_ urgency: AppleQuery.Urgency) -> Value { .integer(Int64(urgency.rawValue)) }

    private func asked() async throws -> [String] {
        try await group.askApple(home)
        let calls = apple.calls.filter { $0.contains("/v2/history/") }
        return calls.map { String($0.prefix { $0 != ":" }) }
    }

    @Test(arguments: [("Production", "api"), ("Sandbox", "sandbox")])
    func `goes to the server of the environment that it states, and to no other`(
        environment: String,
        server: String
    ) async throws {
        apple.knowsNobody = true
        try submit(environment)
        #expect(try await asked() == [server])
    }

    @Test func `goes to both where it states none`() async throws {
        apple.knowsNobody = true
        try submit("Production", "Sandbox")
        #expect(try await asked() == ["api", "sandbox", "api", "sandbox"])
    }

    @Test(arguments: [("Production", AppleQuery.Urgency.awaited), ("Sandbox", .free)])
    func `comes behind all that somebody has paid for if it is of the sandbox`(
        environment: String,
        urgency: AppleQuery.Urgency
    ) throws {
        try submit(environment)
        #expect(try urgencies(home) == [[value(urgency)]])
    }

    @Test func `of the sandbox is not asked before others by its claim either`() throws {
        let listed = Sample.transaction("5", environment: "Sandbox", signed: 1)
        _ = try group.verify(listed, Sample.byAlice, inquiry: .unasked)
        #expect(try urgencies(ReceiptsGroup.partition(of: listed)) == [[value(.free)]])
    }
}
