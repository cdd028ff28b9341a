import Foundation
import Hummingbird

/// `/openapi.json`: this edge, described.
enum OpenAPIRoute {
    private static let bytes = Data(OpenAPIDocument.text.utf8)

    /// The route of the document.
    static var route: Route {
        Route(.get, "/openapi.json") { _, _ in .json(bytes: bytes) }
    }
}
