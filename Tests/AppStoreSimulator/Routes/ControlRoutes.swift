import AppStoreSigning
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// What the simulator can be asked over HTTP, beside Apple's own interface.
enum ControlRoutes {
    /// Bytes of the longest body taken.
    static let maximumBodyBytes = 64 * 1_024

    static func router(for store: SimulatedStore) -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: ProblemMiddleware())
        router.get("livez") { _, _ in HTTPResponse.Status.ok }
        router.get("_control/root.der") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "application/pkix-cert"],
                body: .init(byteBuffer: ByteBuffer(bytes: store.signer.rootDER))
            )
        }
        router.post("_control/purchases") { request, _ in
            let wanted: PurchaseRequest = try await Self.body(of: request)
            let sold = try await store.sell(wanted.purchase(), count: wanted.validCount())
            return try Self.json(["transactions": sold])
        }
        router.post("_control/refunds") { request, _ in
            let wanted: RefundRequest = try await Self.body(of: request)
            guard let refund = try await store.refund(wanted.transactionId, reason: wanted.validReason())
            else {
                throw Problem(.notFound, "transactionId was not sold here")
            }
            return try Self.json(["transactions": [refund]])
        }
        return router
    }

    private static func body<Content: Decodable>(of request: Request) async throws -> Content {
        let buffer = try await request.body.collect(upTo: maximumBodyBytes)
        do {
            return try JSONDecoder().decode(Content.self, from: Data(buffer.readableBytesView))
        } catch let error as DecodingError {
            throw Problem(decoding: error)
        }
    }

    private static func json(_ content: some Encodable) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: try encoder.encode(content)))
        )
    }
}
