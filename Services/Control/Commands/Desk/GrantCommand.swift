import ArgumentParser
import Contracts
import Domain
import Program

struct GrantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Proposes to give a buyer what a product grants, without a proven payment (补单).",
        discussion: """
            Another operator confirms it with `counterfoil confirm`, within 7 days; `counterfoil reverse` takes it \
            back. It stands on exactly one of --order, --apple-order and --goodwill. If the proof of that order comes \
            after all, its purchase takes the place of the compensation; goodwill stays.

              counterfoil grant --product coins.120 --buyer ada --order 01a1… --reason "ticket 4711"
            """
    )

    private struct Body: Encodable {
        let productId: ProductID
        let quantity: Int
        let buyerId: BuyerID
        let bundleId: BundleID?
        let environment: Environment
        let reason: String
        let orderId: OrderID?
        let appleOrderId: AppleOrderID?
        let transactionIds: [TransactionID]?
        let goodwill: Bool?
    }

    @OptionGroup var options: DeskOptions
    @OptionGroup var why: ReasonOption
    @OptionGroup var repeated: KeyOption

    @Option(help: "What is given.")
    var product: ProductID

    // A negative number is a value out of range, and no option.
    @Option(parsing: .unconditional, help: "How many of it.")
    var quantity = 1

    @Option(help: "Who gets it.")
    var buyer: BuyerID

    @Option(help: "The order that is said to be paid.")
    var order: OrderID?

    @Option(
        help: "The order number of Apple's e-mail; Apple is asked what it has sold under it.",
        transform: AppleOrderID.pasted
    )
    var appleOrder: AppleOrderID?

    @Option(help: "With --apple-order, where Apple cannot be asked: a transaction of that order.")
    var transaction: [TransactionID] = []

    @Flag(help: "Nothing was paid, or nobody knows what; no proof is matched with it.")
    var goodwill = false

    mutating func validate() throws {
        guard [order != nil, appleOrder != nil, goodwill].count(where: \.self) == 1 else {
            throw ValidationError("name exactly one of --order, --apple-order and --goodwill.")
        }
        guard transaction.isEmpty || appleOrder != nil else {
            throw ValidationError("--transaction belongs to --apple-order.")
        }
        guard transaction.allSatisfy(\.isNumber) else {
            throw ValidationError("--transaction must be a transaction id of Apple's, digits alone.")
        }
        try Limits.quantities.check(quantity, as: "--quantity")
    }

    func run() async throws {
        let body = Body(
            productId: product,
            quantity: quantity,
            buyerId: buyer,
            bundleId: options.app,
            environment: options.environment.environment,
            reason: why.reason,
            orderId: order,
            appleOrderId: appleOrder,
            transactionIds: transaction.isEmpty ? nil : transaction,
            goodwill: goodwill ? true : nil
        )
        let client = try DeskClient(of: options.option.home)
        let answer = try await client.propose(
            "/compensations",
            body,
            key: repeated.key,
            as: CompensationV1.self
        )
        try options.show(answer) { answer in
            "\(answer.text)\nanother operator confirms it: counterfoil confirm \(answer.proposalId)"
        }
    }
}

extension CompensationV1 {
    /// What is given to whom, and how far that has come.
    var text: String {
        "\(proposalId): \(quantity) × \(productId) for \(buyerId), \(state.rawValue)"
    }
}
