import ArgumentParser
import Contracts
import Delivery
import Domain
import Program

struct TriggerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trigger",
        abstract: "Has the App Store simulator of a test home do something to a purchase, such as refund it.",
        discussion: """
            The simulator then tells the group, as Apple does; `counterfoil trace` and `counterfoil listen` show what \
            follows. `consumption` is Apple's question what a buyer has used; `revoke` ends family sharing.

              counterfoil trigger refund --order 01a1fdb2-5c6a-8ca8-a308-b7439f4caf90
              counterfoil trigger upgrade --transaction 355140500080269973 --product vip.year

            Exit code 0: done. 1: it cannot be done; the line says why. 2: wrong usage. 3: group or simulator do not \
            answer.
            """
    )

    @OptionGroup var option: HomeOption

    @Argument(help: "What happens to the purchase.")
    var event: TriggeredEvent

    @Option(help: "The order that the purchase paid.")
    var order: String?

    @Option(help: "The id of a transaction that the simulator has sold.")
    var transaction: String?

    @Option(help: "With upgrade, downgrade or resubscribe: the product from then on.")
    var product: ProductID?

    @Option(help: "With fail-to-renew: the days of the grace period (default: none).")
    var graceDays: Double?

    @Option(help: "The bundle id of the order's app, if the home has several.")
    var app: BundleID?

    @Flag(help: "Print one JSON object.")
    var json = false

    mutating func validate() throws {
        guard (order == nil) != (transaction == nil) else {
            throw ValidationError("say what it happens to: either --order or --transaction.")
        }
        if let order, OrderID(rawValue: order) == nil {
            throw ValidationError("'\(order)' is no order's id, which is a UUID.")
        }
        if event.needsProduct, product == nil {
            throw ValidationError("\(event.rawValue) needs --product: the product from then on.")
        }
        if product != nil, !event.takesProduct {
            throw ValidationError("--product says nothing about \(event.rawValue).")
        }
        if graceDays != nil, event != .failToRenew {
            throw ValidationError("--grace-days goes with fail-to-renew only.")
        }
    }

    func run() async throws {
        let home = option.home
        guard home.isTest else { throw CommandFailure.noTestHome(home, for: "trigger") }
        let configuration = try Configuration(of: home)
        guard let simulator = configuration.appStore else {
            let advice = "name one as `appStore` in counterfoil.json, or make the home with --app-store"
            throw CommandFailure(description: "\(home.root) has no App Store simulator; \(advice)")
        }
        let id = try await transaction(of: configuration.apps)
        var request = SimulatorCall.Request(event: event.simulatorName, transactionId: id)
        request.productId = product?.rawValue
        request.gracePeriodDays = graceDays
        let answer = try await SimulatorCall(url: simulator).perform(request)
        if json {
            try Terminal.printJSON(answer)
        } else {
            print(answer.text(of: event, on: id))
        }
    }

    /// The transaction that is named, or that paid the order that is.
    private func transaction(of apps: [Configuration.App]) async throws -> String {
        if let transaction { return transaction }
        guard let id = order.flatMap({ OrderID(rawValue: $0) }) else { return "" }
        let candidates = apps.map(\.bundleId).filter { app == nil || app == $0 }
        guard let bundle = candidates.first, candidates.count == 1 else {
            let problem = app.map { "the home has no app \($0)" } ?? "the home has several apps; say --app"
            throw CommandFailure.usage(problem)
        }
        let question = OrderGetV1(bundleId: bundle, orderId: id)
        let order = try await PartitionInquiry.of(option.home) { group in
            let owner = question.route.owner(of: group.partitions) ?? PartitionAddress(.orders, 0)
            do throws(CommandFailure) {
                return try await group.ask(question, of: owner)
            } catch {
                throw error.withCodeOfSilence
            }
        }
        guard let paid = order.transactionId else {
            let problem = "order \(id) is \(order.state.rawValue): nobody has paid it"
            throw CommandFailure(description: problem + ", so that nothing can happen")
        }
        return paid.rawValue
    }
}

extension SimulatorCall.Answer {
    /// What happened, and of what the group is told.
    func text(of event: TriggeredEvent, on transaction: String) -> String {
        let told = (notifications ?? []).map { sent in
            [sent.notificationType, sent.subtype].compactMap(\.self).joined(separator: " ")
        }
        let new = Set((transactions ?? []).map(\.transactionId)).subtracting([transaction]).sorted()
        let made = new.isEmpty ? "" : "; transaction \(new.joined(separator: ", "))"
        let notice =
            told.isEmpty
            ? "nobody is told: the simulator knows no address (POST /_control/server-notifications)"
            : "told: \(told.joined(separator: ", "))"
        return "\(event.rawValue) of \(transaction)\(made); \(notice)"
    }
}
