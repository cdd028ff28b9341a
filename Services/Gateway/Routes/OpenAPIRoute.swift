import Hummingbird
import NIOCore

/// `/openapi.json`: this edge, described.
enum OpenAPIRoute {
    /// One copy, however many answers wait for their readers.
    private static let bytes = ByteBuffer(string: OpenAPIDocument.text)

    /// The route of the document.
    static var route: Route {
        Route(.get, "/openapi.json") { _, _ in .json(buffer: bytes) }
    }
}
