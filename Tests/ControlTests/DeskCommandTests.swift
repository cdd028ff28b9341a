import ArgumentParser
import Contracts
import Domain
import Testing

@testable import Control

@Suite struct `Commands of the desk` {
    private static let grant = ["--product", "coins.120", "--buyer", "ada"]
    private static let reason = ["--reason", "ticket 4711"]

    private static func refusal(_ arguments: [String]) throws -> String {
        let error = #expect(throws: (any Error).self) { _ = try GrantCommand.parse(arguments) }
        return GrantCommand.message(for: try #require(error))
    }

    @Test(arguments: ["", "   ", "\u{3000}", "a\nb"])
    func `refuse a reason that nobody can read`(reason: String) throws {
        let text = try Self.refusal(Self.grant + ["--goodwill", "--reason", reason])
        #expect(text.contains("--reason must be one line of 1 to 500 bytes, and not blanks alone"), "\(text)")
    }

    @Test func `refuse a transaction that Apple cannot have`() throws {
        let number = ["--apple-order", "MQ5LB2JHXY", "--transaction"]
        let text = try Self.refusal(Self.grant + Self.reason + number + ["zzz"])
        #expect(text.contains("--transaction must be"), "\(text)")
        let command = try GrantCommand.parse(Self.grant + Self.reason + number + ["2000000812345678"])
        #expect(command.transaction.map(\.rawValue) == ["2000000812345678"])
    }

    @Test func `take a number with the blanks that were pasted around it, and say how long one is`() throws {
        let pasted = Self.grant + Self.reason + ["--apple-order", " mq5lb2jhxy\t"]
        #expect(try GrantCommand.parse(pasted).appleOrder == AppleOrderID(rawValue: "MQ5LB2JHXY"))
        #expect(try FindCommand.parse([" MQ5LB2JHXY "]).text == "MQ5LB2JHXY")
        let text = try Self.refusal(Self.grant + Self.reason + ["--apple-order", "M1"])
        #expect(text.contains("8 to 16 letters and digits"), "\(text)")
    }

    @Test(arguments: CompensationV1.State.allCases)
    func `say of a compensation that is to be taken back where nothing is`(state: CompensationV1.State) {
        let id = ProposalID(.compensation, shard: Shard(rawValue: 5), digest: Array(repeating: 7, count: 14))
        var compensation = CompensationV1(
            proposalId: id,
            state: state,
            bundleId: BundleID(unchecked: "com.example.game"),
            buyerId: BuyerID(unchecked: "ada"),
            environment: .production,
            productId: ProductID(unchecked: "coins.120"),
            quantity: 1,
            basis: CompensationBasis(kind: .goodwill),
            reason: "ticket 4711",
            proposedBy: OperatorID(unchecked: "o0123456789ab"),
            proposedAt: Timestamp(milliseconds: 1)
        )
        compensation.purchaseId = PurchaseID(unchecked: "7")
        let text = compensation.textOfReversal
        #expect(text.hasPrefix("\(id): 1 × coins.120 for ada, \(state.rawValue)"))
        #expect(text.contains("nothing is taken back") == [.matched, .void].contains(state))
        #expect(text.contains("its purchase 7 has taken its place") == (state == .matched))
    }
}
