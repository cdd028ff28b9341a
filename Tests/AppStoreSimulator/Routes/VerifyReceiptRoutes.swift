import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// verifyReceipt, which answers with HTTP 200 and a status of its own, whatever is wrong.
struct VerifyReceiptRoutes: Sendable {
    /// Bytes of the longest body; HTTP 413 beyond.
    static let maximumBytes = 3_145_728

    let store: SimulatedStore
    let environment: StoreEnvironment

    func add(to host: RouterGroup<SimulatorContext>) {
        host.post("verifyReceipt", use: verify)
        for method in [.get, .put, .delete, .patch] as [HTTPRequest.Method] {
            host.on("verifyReceipt", method: method) { _, _ in try answer(.notPosted) }
        }
    }

    @Sendable private func verify(_ request: Request, _ context: SimulatorContext) async throws -> Response {
        let buffer = try await request.body.collect(upTo: Self.maximumBytes)
        do {
            let question = try question(buffer)
            let verification = ReceiptVerification(store: store, environment: environment)
            return try .json(await verification.answer(to: question, signing: context.signature))
        } catch let status as ReceiptStatus {
            return try answer(status)
        }
    }

    private func question(_ buffer: ByteBuffer) throws(ReceiptStatus) -> ReceiptQuestion {
        do {
            return try JSONDecoder().decode(ReceiptQuestion.self, from: Data(buffer.readableBytesView))
        } catch {
            throw .malformed
        }
    }

    private func answer(_ status: ReceiptStatus) throws -> Response {
        try .json(JSONValue.object(["status": .integer(Int64(status.code))]))
    }
}
