import ArgumentParser
import Contracts
import Domain
import Program

struct RetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Judges again everything that waits for an operator, and prints why it did.",
        discussion: """
            That is: parked submissions and notifications, transactions without a buyer, and grants whose product \
            the catalog did not name or whose type is another one in it. Load the catalog, or change the \
            configuration and restart what reads it, first. What still cannot be decided stays as it is, so this can \
            be run again at any time. Examples:

              counterfoil retry
              counterfoil retry --product coins.500
              counterfoil retry --buyer ada

            Exit code 0: everything was judged. 1: a partition refused, or there is no such receipt. 2: wrong usage, \
            or the loaded catalog does not name the product. 3: a partition did not answer; what it has is not judged.
            """
    )

    @OptionGroup var option: HomeOption

    @Option(help: "Only what is about this product.")
    var product: ProductID?

    @Option(help: "Only what is this buyer's; notifications are nobody's.")
    var buyer: BuyerID?

    @Option(help: "Only this submission, whatever its state, and what came of it.")
    var receipt: ReceiptID?

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        if let product { try Self.check(product, in: Catalog(loadedIn: option.home)) }
        let report = try await PartitionInquiry.of(option.home) { inquiry in
            try await RetryRound(group: inquiry, scope: scope).carryOut()
        }
        for failure in report.failures { Terminal.warn(failure.description) }
        if json {
            try Terminal.printJSON(report.object)
        } else if !report.items.isEmpty || report.missed.isEmpty {
            print(report.text)
        }
        try report.missed.check("the retry")
        if report.exitCode != 0 { throw ExitCode(report.exitCode) }
    }

    /// Refuses a product that the catalog does not name: it is mistyped, or its grants would only stay parked.
    static func check(_ product: ProductID, in catalog: Catalog) throws(CommandFailure) {
        guard !catalog.products.contains(where: { $0.productId == product }) else { return }
        throw .usage("the loaded catalog names no product \(product); see `counterfoil catalog show`")
    }

    var scope: RetryScope { RetryScope(productId: product, buyerId: buyer, receiptId: receipt) }
}
