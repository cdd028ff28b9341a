import Contracts
import Delivery
import Foundation
import ReceiptsCore

/// `counterfoil.apple.ask.v1`: an operator wants to know what Apple knows.
struct OnAppleAsk {
    /// Longest that an operator waits for a page, in ms.
    private static let patienceMilliseconds: Int64 = 55_000

    let policies: [BundleID: AppPolicy]

    func callAsFunction(
        _ message: Event<AppleAskV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<AppleAnswerV1> {
        let ask = message.data
        guard let policy = policies[ask.bundleId] else {
            return .refused(RequestRefusal(.notFound, "no such app is configured", field: "bundleId"))
        }
        guard policy.apis.contains(.serverAPI) else {
            let problem = "no App Store Server API key is configured for \(ask.bundleId); add appStoreServer"
            return .reply(AppleAnswerV1(problem: problem))
        }
        let subject = AppleQueryRecord.Subject.operator(ask, request: message.id)
        let id = AppleQueryRecord.id(of: subject, in: ask.bundleId)
        let store = AppleQueryStore(connection: context.connection)
        if let answer = try store.answer(id) {
            try store.remove(id)
            return .reply(try JSONDecoder().decode(AppleAnswerV1.self, from: Data(answer)))
        }
        if try store.row(id) == nil {
            try store.dropAnswers(now: context.now)
            try context.ask(subject, of: ask.bundleId, .awaited)
        }
        return .wait(
            on: id,
            until: context.now.advanced(by: Self.patienceMilliseconds),
            otherwise: AppleAnswerV1(problem: "Apple has not answered yet; try again")
        )
    }
}
