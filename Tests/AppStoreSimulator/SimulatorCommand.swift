import ArgumentParser
import Contracts
import Foundation
import HTTPServing
import Hummingbird
import Logging
import NIOCore
import Program
import ServiceLifecycle

/// The simulator's arguments, and its parts in their order.
struct SimulatorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counterfoil-appstore",
        abstract: "Plays the App Store: sells, refunds, tells and signs with a root certificate of its own.",
        discussion: """
            Apple's hosts, for an app's server:
              /production/verifyReceipt   /sandbox/verifyReceipt
              /production/inApps/...      /sandbox/inApps/...
              /ocsp                       for the certificates that name it (--ocsp)

            What only a simulator has:
            GET  /_control/root.der       the root certificate, to be trusted in a test home
            GET  /_control/forms          one proof of each form, in order and forged, with keys of
              their own: "name", "kind", "proof", "root" to trust, why it is refused ("refusal")
            POST /_control/purchases      {"bundleId","productId"}, and optional
              "type" (else that of --catalog), "appAccountToken", "quantity",
              "price", "currency", "environment", "count", "account",
              "purchaseDate", "period", "subscriptionGroupIdentifier", "offer",
              "askToBuy", "notify", "appReceipt", "transactionReceipt"
            POST /_control/refunds        {"transactionId"}, and optional "reason"
            POST /_control/events         {"event","transactionId"}, and what belongs to the event
              \(EventRequest.Name.list)
            POST /_control/receipts       {"transactionId"}: the buyer's receipt as it is now
            POST /_control/server-notifications  {"bundleId","environment","url","timeFactor"}
            POST /_control/server-notifications/{notificationUUID}/repeat
            POST /_control/apps           {"bundleId","appAppleId","sharedSecret"}
            POST /_control/keys           {"keyId","issuerId","publicKey"}, or {} for a new pair
            GET  /_control/consumption    what apps said about consumption
            POST /_control/faults         {"path","kind"}, and optional "method", "count",
              "seconds", "probability"; the kinds are
              \(Fault.Kind.list)
            GET, DELETE /_control/faults
            GET  /_control/calls          how often Apple's side was asked what, by second
            POST /_control/revocations    {"certificate"}: leaf or intermediate, and optional
              "status": revoked (if absent), unknown, good
            GET  /livez
            """,
        version: Release.version
    )

    @Option(help: "Address and port to listen on; port 0 takes a free one and prints it.")
    var listen = ListenAddress(host: "127.0.0.1", port: 8_090)

    @Option(
        help: .init(
            "Folder that keeps the certificates and what was sold.",
            discussion: "Default: ${XDG_STATE_HOME:-$HOME/.local/state}/counterfoil-appstore",
            valueName: "folder"
        )
    )
    var state: String?

    @Option(
        help: .init(
            "A catalog.json that knows the type of a product that is sold without one; it is read when needed.",
            valueName: "file"
        )
    )
    var catalog: String?

    @Option(
        help: .init(
            "Address that new certificates name as their OCSP responder, such as http://127.0.0.1:8090/ocsp.",
            valueName: "url"
        )
    )
    var ocsp: String?

    func serve() async throws {
        let folder = state ?? Self.defaultFolder(ProcessInfo.processInfo.environment)
        let store = try open(folder)
        let sender = ServerNotificationSender(
            queue: store.notifications,
            now: store.now,
            pause: store.pause,
            post: { await ServerNotificationPost.send($0, $1) }
        )
        var logger = Logger(label: "counterfoil-appstore")
        logger.logLevel = .warning
        let host = listen.host
        let application = Application(
            router: SimulatorRouter.router(for: store),
            server: .http1Connections,
            configuration: .init(address: .hostname(listen.host, port: listen.port)),
            services: [sender],
            onServerRunning: { channel in
                let line = "listening on http://\(host):\(channel.localAddress?.port ?? 0)\n"
                FileHandle.standardOutput.write(Data(line.utf8))
            },
            logger: logger
        )
        try await application.runService()
    }

    private func open(_ folder: String) throws(WrongConfiguration) -> SimulatedStore {
        do {
            return try SimulatedStore(
                folder: folder,
                ocsp: ocsp,
                catalog: catalog.map(CatalogFile.init),
                now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) },
                pause: { try await Task.sleep(for: .milliseconds($0)) }
            )
        } catch {
            throw WrongConfiguration(description: "--state \(folder) cannot be used: \(error)")
        }
    }

    private static func defaultFolder(_ environment: [String: String]) -> String {
        let base = environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        return (base ?? environment["HOME", default: ""] + "/.local/state") + "/counterfoil-appstore"
    }
}

extension ListenAddress: ExpressibleByArgument {}
