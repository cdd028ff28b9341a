import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The game's own server: takes the group's webhooks as the README has it.
struct WebhookReceiver: Sendable {
    /// Most bytes of a message.
    private static let mostBytes = 256 << 10

    let context: LoadContext
    /// On this machine.
    let port: Int

    /// Listens until it is cancelled.
    func run() async throws {
        let router = Router()
        router.post("webhooks") { [context] request, _ -> HTTPResponse.Status in
            let body = try await request.body.collect(upTo: Self.mostBytes)
            try context.note { try $0.noteWebhook(Data(body.readableBytesView)) }
            return .noContent
        }
        let application = Application(
            router: router,
            server: .http1Connections,
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            logger: Logger(label: "webhooks") { _ in SwiftLogNoOpLogHandler() }
        )
        try await application.run()
    }
}
