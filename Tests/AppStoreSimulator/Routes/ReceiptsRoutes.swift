import Contracts
import Hummingbird

/// `/_control/receipts`: an app refreshes its receipt, even one with nothing in it.
struct ReceiptsRoutes: Sendable {
    let store: SimulatedStore

    func add(to control: RouterGroup<SimulatorContext>) {
        control.post("receipts", use: refresh)
    }

    private struct Wanted: Decodable {
        /// Any purchase of the buyer's; absent for a buyer who has bought nothing.
        let transactionId: String?
        let bundleId: BundleID?
        let environment: StoreEnvironment?
    }

    private struct Answer: Encodable {
        let appReceipt: String
        let transactionReceipt: String?
    }

    @Sendable private func refresh(_ request: Request, _ context: SimulatorContext) async throws -> Response {
        let wanted: Wanted = try await JSONBody.read(request)
        guard let id = wanted.transactionId else { return try .json(empty(wanted, context)) }
        guard let sale = await store.register.sale(id) else { throw UnknownTransaction() }
        let transactionReceipt = try store.transactionReceipt(of: sale.transaction, context.signature)
        return try .json(
            Answer(
                appReceipt: await store.appReceipt(for: sale, context.signature),
                transactionReceipt: transactionReceipt
            )
        )
    }

    private func empty(_ wanted: Wanted, _ context: SimulatorContext) throws -> Answer {
        guard let bundleId = wanted.bundleId else { throw Problem("transactionId or bundleId is missing") }
        let receipt = try store.appReceipt(
            bundleId: bundleId.rawValue,
            environment: (wanted.environment ?? .production).rawValue,
            of: [],
            context.signature
        )
        return Answer(appReceipt: receipt, transactionReceipt: nil)
    }
}
