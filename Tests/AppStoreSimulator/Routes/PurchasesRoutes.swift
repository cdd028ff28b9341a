import AppStoreSigning
import Contracts
import HTTPTypes
import Hummingbird

/// `/_control/purchases`: somebody buys something.
struct PurchasesRoutes: Sendable {
    let store: SimulatedStore

    func add(to control: RouterGroup<SimulatorContext>) {
        control.post("purchases", use: buy)
    }

    @Sendable private func buy(_ request: Request, _ context: SimulatorContext) async throws -> Response {
        let wanted: PurchaseRequest = try await JSONBody.read(request)
        let type = try wanted.type ?? catalogType(of: wanted)
        let sold = try wanted.sold(type: type, at: store.now(), chance: store.chance)
        if wanted.askToBuy == true {
            return try .json(SalesAnswer(pendingId: try await store.register.ask(sold)), status: .accepted)
        }
        let happening = try await store.register.sell(sold, count: wanted.validCount(), at: store.now())
        var answer = try await SalesAnswer(
            happening,
            of: store,
            context.signature,
            silent: wanted.notify == false
        )
        if wanted.appReceipt == true, let sale = happening.sales.last {
            answer.appReceipt = try await store.appReceipt(for: sale, context.signature)
        }
        if wanted.transactionReceipt == true { try answer.addReceipts(of: store, context.signature) }
        return try .json(answer)
    }

    private func catalogType(of wanted: PurchaseRequest) throws(Problem) -> String {
        guard let catalog = store.catalog else {
            let known = PurchaseRequest.types.joined(separator: ", ")
            throw Problem("type is missing; give one of \(known), or start the simulator with --catalog")
        }
        return try catalog.type(of: wanted.productId, bundleId: wanted.bundleId)
    }
}

/// The answer to whatever sells or changes: the transactions as they stand, and what was told about them.
struct SalesAnswer: Encodable {
    var transactions: [SoldTransaction] = []
    var notifications: [Announcer.Told]?
    /// The buyer's receipt in base64, where it was asked for.
    var appReceipt: String?
    /// The name by which a purchase that needs a parent's approval is approved of.
    var pendingId: String?

    init(pendingId: String) { self.pendingId = pendingId }

    /// Signs what happened and, unless it is to be silent, tells the app's server.
    init(
        _ happening: Happening,
        of store: SimulatedStore,
        _ quality: SignatureQuality,
        silent: Bool = false
    ) async throws {
        transactions = try happening.sales.map { try store.sold($0, quality) }
        let told = silent ? [] : try await Announcer(store: store).tell(happening, quality)
        notifications = told.isEmpty ? nil : told
    }

    /// Gives every transaction its receipt of iOS 6.
    mutating func addReceipts(of store: SimulatedStore, _ quality: SignatureQuality) throws {
        for index in transactions.indices {
            let transaction = transactions[index].transaction
            transactions[index].transactionReceipt = try store.transactionReceipt(of: transaction, quality)
        }
    }
}
