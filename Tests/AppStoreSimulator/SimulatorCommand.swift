import AppStoreSigning
import ArgumentParser
import Contracts
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// The simulator's arguments, and its parts in their order.
struct SimulatorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counterfoil-appstore",
        abstract: "Plays the App Store: sells, refunds and signs with a root certificate of its own.",
        discussion: """
            GET  /_control/root.der   the root certificate, to be trusted in a test home
            POST /_control/purchases  {"bundleId","productId"}, and optional
              "type", "appAccountToken", "quantity", "price", "currency",
              "environment", "count"
            POST /_control/refunds    {"transactionId"}, and optional "reason"
            GET  /livez
            """
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

    /// Listens until the process is asked to stop.
    func serve() async throws {
        let folder = state ?? Self.defaultFolder(ProcessInfo.processInfo.environment)
        let (signer, register) = try Self.open(folder)
        let store = SimulatedStore(signer: signer, register: register) {
            Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        }
        var logger = Logger(label: "counterfoil-appstore")
        logger.logLevel = .warning
        let host = listen.host
        let application = Application(
            router: ControlRoutes.router(for: store),
            configuration: .init(address: .hostname(listen.host, port: listen.port)),
            onServerRunning: { channel in
                let line = "listening on http://\(host):\(channel.localAddress?.port ?? 0)\n"
                FileHandle.standardOutput.write(Data(line.utf8))
            },
            logger: logger
        )
        try await application.runService()
    }

    private static func open(_ folder: String) throws(WrongConfiguration) -> (AppStoreSigner, SalesRegister) {
        do {
            let signer = try AppStoreSigner(stateFolder: folder)
            return (signer, try SalesRegister(folder: folder))
        } catch {
            throw WrongConfiguration(description: "--state \(folder) cannot be used: \(error)")
        }
    }

    private static func defaultFolder(_ environment: [String: String]) -> String {
        let base = environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        return (base ?? environment["HOME", default: ""] + "/.local/state") + "/counterfoil-appstore"
    }
}

/// `host:port`, with brackets around an IPv6 address.
struct ListenAddress: ExpressibleByArgument, Equatable {
    let host: String
    let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"),
            let port = Int(argument[argument.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        let host = argument[..<colon].trimmingPrefix("[")
        self.init(host: String(host.hasSuffix("]") ? host.dropLast() : host), port: port)
        guard !self.host.isEmpty else { return nil }
    }

    var defaultValueDescription: String { "\(host):\(port)" }
}
