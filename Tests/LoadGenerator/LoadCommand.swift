import AppStoreSigning
import ArgumentParser
import Contracts
import Foundation
import LoadVerdict
import NIOConcurrencyHelpers
import NIOCore
import Program
import TestKit

struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counterfoil-load",
        abstract: "Plays phones that buy, and Apple's notifications, and checks every ledger afterwards.",
        discussion: """
            Payments are signed in this process with the certificates of an App Store simulator, whose root \
            the gateway's home must trust. Shares are parts of all customers, such as \
            late=0.1,tokenTwice=0.05; those that a list leaves out are 0; with `none` everybody buys plainly.
              duplicates        the first answer is lost, and the phone submits again
              late              the order was closed before the payment came
              twoAtOnce         two parts of the app submit the same proof at once
              otherLogin        the proof is submitted under another buyer's login
              tokenTwice        two payments carry the same token
              diesBeforeAnswer  the phone dies before the answer; most submit again
              restores          a second device restores, half under another login
              renewals          a subscription with renewals, upgrades and refunds
              refunds           Apple refunds all or a part, and reverses some of that
              spends            goods are spent, given back and earned
              transfers         another login restores what was bought: it moves
              sharedPhones      another login hands in the device's app receipt first
              compensations     operators make up for an order, with a late proof or none
              assignments       Apple tells of what names nobody; an operator gives it
            With --client kit each phone is a process that uses CounterfoilClient. It is killed at any request and \
            any line, and started again with its files; StoreKit says nothing more of a proof that it has sent. \
            Its habits are late, tokenTwice and duplicates (StoreKit hands the transaction over twice). What it \
            finishes before it was told to is `finishTooEarly`, what it never finishes `unfinished`.
            With one of the last seven, or with --webhook-port, balances, access and subscriptions are checked at the end, by what the \
            catalog grants; `renewals` needs an autoRenewable product, two for other products at an upgrade, \
            `transfers` one with `"onOtherLogin": "transfer"`, `sharedPhones` \
            a simulator (--app-store) for which the app has a key, as `counterfoil init --test --app-store` makes it. \
            The last two need --operator-keys and --operations.
            The last line on standard output is the report, one JSON object. The exit code is 1 if anything \
            was lost, doubled, misattributed or finished too early, or if a balance or an access is wrong, or \
            webhooks told something else; 2 if the gateway does not know the key, trust the certificates or sell the products.

            For the group of `deploy/run`, whose demo.json has the key:
              counterfoil-load --gateway http://127.0.0.1:8080 --api-key KEY \\
                --appstore-state ~/.counterfoil/demo/appstore --shares refunds=0.1
            A test home of your own trusts the certificates of the folder `appstore`:
              counterfoil-load --appstore-state appstore --write-root root.der
              counterfoil init --test --home HOME --extra-root root.der
            """,
        version: Release.version
    )

    @Option(help: "Where the gateway listens, such as http://127.0.0.1:8080.")
    var gateway: String?

    @Option(help: "A key of the app.")
    var apiKey: String?

    @Option(
        help: .init(
            "A key of HS256 in the app's phoneTokens: orders are issued and proofs handed in with phones' tokens.",
            valueName: "id:secret"
        )
    )
    var phoneKey: String?

    @Option(help: "The app.")
    var bundleID = "com.example.game"

    @Option(help: "Consumables to buy, with what one grants if that is to be checked: id[=amount][,…].")
    var products = "coins.120=120"

    @Option(help: "The non-consumable that is bought and restored.")
    var restoredProduct = "pro.lifetime"

    @Option(
        help: "Entitlements whose balance stops at zero when a refund takes back what was spent: name[,…]."
    )
    var floors = "gems"

    @Option(help: .init("State folder of the App Store simulator.", valueName: "folder"))
    var appstoreState: String

    @Option(help: "Stop after so many customers; one with a token used twice pays twice.")
    var purchases: Int?

    @Option(help: "Stop after so many seconds (default: 10, if --purchases is not given).")
    var seconds: Double?

    @Option(help: "Customers a second; 0 is as many as possible.")
    var rate: Double = 0

    @Option(help: "Most customers at a time.")
    var concurrency = 128

    @Option(help: "How many buyers there are.")
    var buyers = 200

    @Option(help: "How many customers behave oddly, and how.")
    var shares = Shares.standard

    @Option(
        name: .customLong("client"),
        help:
            "Who plays the phones: `http` is this program, `kit` a process each that uses CounterfoilClient."
    )
    var phones = PhoneKind.http

    @Option(
        help: .init(
            "With --client kit: what is started as a phone, with its arguments; see Tests/Conformance/README.md "
                + "(default: counterfoil-kit-phone beside this program).",
            valueName: "command"
        )
    )
    var phoneCommand: String?

    @Option(help: "How many in a hundred customers have the habit sharedPhones, besides those of --shares.")
    var sharedPhones: Double = 0

    @Option(
        help: .init(
            "For sharedPhones: where the simulator of that folder listens, such as http://127.0.0.1:8090.",
            valueName: "url"
        )
    )
    var appStore: String?

    @Option(
        help: "How many in a hundred customers have the last two habits, besides those of --shares."
    )
    var atTheDesk: Double = 0

    @Option(
        help: .init(
            "For those: a file of operator keys of the role approve, one a line; each has 50 acts a day.",
            valueName: "file"
        )
    )
    var operatorKeys: String?

    @Option(
        help: .init(
            "For those: the file with the address where operators ask, HOME/run/operations.address.",
            valueName: "file"
        )
    )
    var operations: String?

    @Option(help: "Equal seeds give customers with equal habits; payments and buyers are always new.")
    var seed: UInt64 = 1

    @Option(
        help: .init(
            "Keeps the journal here (default: a temporary file, removed if all is well).",
            valueName: "file"
        )
    )
    var journal: String?

    @Option(help: .init("Writes the report here too.", valueName: "file"))
    var report: String?

    @Option(help: "Seconds after the end within which every purchase must be in its ledger.")
    var drain: Double = 30

    @Option(
        name: .customLong("webhook-port"),
        help: """
            Takes the group's webhooks at http://127.0.0.1:PORT/webhooks, and checks that a server which follows \
            them believes what the gateway answers.
            """
    )
    var webhookPort: Int?

    @Option(help: .init("Only writes the simulator's root certificate (DER) there.", valueName: "file"))
    var writeRoot: String?

    mutating func validate() throws {
        if writeRoot == nil, gateway == nil || apiKey == nil {
            throw ValidationError("--gateway and --api-key are needed.")
        }
        if let phoneKey, Self.key(phoneKey) == nil { throw ValidationError("--phone-key must be ID:SECRET.") }
        guard concurrency > 0, buyers > 1, rate >= 0, drain >= 0 else {
            throw ValidationError("--concurrency must be 1 or more, --buyers 2 or more, nothing negative.")
        }
        guard (purchases ?? 1) > 0, (seconds ?? 1) > 0 else {
            throw ValidationError("--purchases and --seconds must be more than 0.")
        }
        guard sharedPhones >= 0, atTheDesk >= 0, allShares.isWithinAll else {
            throw ValidationError(
                "--shared-phones and --at-the-desk are percentages, with all of --shares 100 at most."
            )
        }
        let isAtTheDesk = Habit.atTheDesk.contains(where: allShares.has)
        guard !isAtTheDesk || operatorKeys != nil && operations != nil else {
            throw ValidationError("compensations and assignments need --operator-keys and --operations.")
        }
        guard phones == .http || allShares.suitsKit else {
            throw ValidationError(
                "--client kit plays late, tokenTwice and duplicates: leave the rest of --shares out."
            )
        }
        guard phones == .kit || phoneCommand == nil else {
            throw ValidationError("--phone-command needs --client kit.")
        }
        guard appStore != nil || !allShares.has(.sharedPhones) else {
            throw ValidationError("sharedPhones need --app-store, the simulator for which the app has a key.")
        }
    }

    /// Does what was asked; whether every law held.
    func perform() async throws -> Bool {
        let signer = try AppStoreSigner(stateFolder: appstoreState)
        if let writeRoot {
            try Data(signer.rootDER).write(to: URL(filePath: writeRoot))
            return true
        }
        guard let gateway, let apiKey else { return false }
        let client = try client(of: gateway, apiKey)
        var assortment = Assortment(
            consumables: try Product.list(products),
            restorable: Product(id: restoredProduct, amount: 1)
        )
        let opening = Opening(client: client)
        try await opening.wait()
        if judgesHoldings { assortment = try await opening.completed(assortment, for: allShares) }
        let appStore = try await simulator(opening, assortment)
        let file = journal ?? NSTemporaryDirectory() + "counterfoil-load-\(getpid()).journal"
        var context = try context(client, signer, appStore, assortment, journal: file)
        if let operatorKeys, let operations {
            context.desk = try OperatorDesk(keysFile: operatorKeys, addressFile: operations)
        }
        if phones == .kit { context.kit = try kit(gateway, apiKey) }
        let report = try await play(context, journal: file)
        try publish(report, journal: file)
        return report.isClean
    }

    private func context(
        _ client: GatewayClient,
        _ signer: AppStoreSigner,
        _ appStore: AppStoreClient?,
        _ assortment: Assortment,
        journal file: String
    ) throws -> LoadContext {
        // Every run has buyers of its own, so that their ledgers hold nothing else.
        let run = String(UInt32.random(in: 0 ... .max), radix: 36)
        let buyers = (0..<buyers).map { "load-\(run)-\($0)" }
        let floors = Set(floors.split(separator: ",").map(String.init))
        var audit = Audit(products: assortment.all, buyers: buyers, floors: floors)
        if webhookPort != nil { audit.webhooks = WebhookBook(assortment.all) }
        return LoadContext(
            client: client,
            signer: signer,
            appStore: appStore,
            journal: try Journal(path: file),
            audit: NIOLockedValueBox(audit),
            schedule: Schedule(purchases: purchases, seconds: seconds, rate: rate, drain: drain),
            buyers: buyers,
            assortment: assortment,
            products: assortment.all,
            scripts: ScriptGenerator(shares: allShares, seed: seed)
        )
    }

    /// Webhooks are judged by what buyers hold in the end.
    private var judgesHoldings: Bool { allShares.needCatalog || webhookPort != nil }

    private var allShares: Shares {
        let shares = phones == .kit && shares == .standard ? Shares.kit : shares
        return shares.sharingPhones(percentage: sharedPhones).atTheDesk(percentage: atTheDesk)
    }

    /// The way to the gateway for phones that are processes, and what is started as one.
    private func kit(_ gateway: String, _ apiKey: String) throws -> KitPhones {
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let program = own.appending(path: "counterfoil-kit-phone").path(percentEncoded: false)
        let command = phoneCommand?.split(separator: " ").map(String.init) ?? [program]
        if phoneCommand == nil, !FileManager.default.isExecutableFile(atPath: program) {
            throw WrongUse(description: "there is no \(program): build it, or name a --phone-command")
        }
        return KitPhones(command: command, gate: try KitGate(to: gateway, apiKey: apiKey))
    }

    /// The simulator, if phones need it; the group has been seen to ask it.
    private func simulator(_ opening: Opening, _ assortment: Assortment) async throws -> AppStoreClient? {
        guard let url = appStore, allShares.has(.sharedPhones) else { return nil }
        let client = try AppStoreClient(url: url, bundleID: bundleID)
        try await opening.check(client, selling: assortment.consumables[0])
        return client
    }

    private func client(of gateway: String, _ apiKey: String) throws(WrongUse) -> GatewayClient {
        do {
            var client = try GatewayClient(url: gateway, bundleID: bundleID, apiKey: apiKey)
            client.timeout = .seconds(6)
            client.phoneKey = phoneKey.flatMap(Self.key)
            return client
        } catch {
            throw WrongUse(description: "--gateway must be http://host:port")
        }
    }

    /// A key as `--phone-key` has it; nil when the text has no colon.
    private static func key(_ text: String) -> Configuration.PhoneTokenKey? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        return .init(id: String(text[..<colon]), secret: String(text[text.index(after: colon)...]))
    }

    private func play(_ context: LoadContext, journal file: String) async throws -> LoadReport {
        do {
            let run = LoadRun(
                context: context,
                concurrency: concurrency,
                judgesHoldings: judgesHoldings,
                receiver: webhookPort.map { WebhookReceiver(context: context, port: $0) }
            )
            return try await run.run()
        } catch let error as WrongUse {
            // Nothing was bought that anybody could look for.
            if journal == nil { try FileManager.default.removeItem(atPath: file) }
            throw error
        }
    }

    private func publish(_ report: LoadReport, journal file: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let line = try encoder.encode(report)
        if let path = self.report { try (line + Data("\n".utf8)).write(to: URL(filePath: path)) }
        if journal == nil, report.isClean {
            try FileManager.default.removeItem(atPath: file)
        } else if !report.isClean {
            FileHandle.standardError.write(Data("the journal is kept in \(file)\n".utf8))
        }
        print(String(decoding: line, as: UTF8.self))
    }
}
