import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// An answer of JSON with its members in alphabetical order.
    static func json(_ content: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: try encoder.encode(content)))
        )
    }
}

/// Bodies of requests.
enum JSONBody {
    /// Bytes of the longest body taken, but for receipts.
    static let maximumBytes = 64 * 1_024

    /// The content of a body of JSON.
    ///
    /// - Throws: `Problem` that names the member that is wrong.
    static func read<Content: Decodable>(_ request: Request) async throws -> Content {
        let buffer = try await request.body.collect(upTo: maximumBytes)
        do {
            return try JSONDecoder().decode(Content.self, from: Data(buffer.readableBytesView))
        } catch let error as DecodingError {
            do throws(JSONText.Fault) {
                _ = try JSONText(buffer.readableBytesView)
            } catch {
                throw Problem("the body is not JSON: \(error)")
            }
            throw Problem(decoding: error)
        }
    }
}
