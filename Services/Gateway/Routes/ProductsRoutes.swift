import Contracts
import Domain
import HTTPTypes
import Hummingbird
import Program

/// `/v1/products`: what the loaded catalog says an app sells.
struct ProductsRoutes: Sendable {
    let gateway: GatewayContext

    var routes: [Route] { [gateway.appRoute(.get, "/v1/products", for: .phones, list)] }

    /// The version is the `ETag`; a caller that has it already gets 304 without a body.
    @Sendable private func list(_ request: AppRequest) async throws -> Response {
        let named = try request.query("bundleId").map { text throws(Problem) in
            try Field.bundle(text, of: request.app)
        }
        let catalog = gateway.catalog
        let tag = "\"\(catalog.version)\""
        var response = Response(status: .notModified)
        if !Self.matches(request.request.headers[values: .ifNoneMatch], tag) {
            let products = catalog.products(of: named ?? request.app.bundleId).map(\.json)
            response = try .json([
                "version": JSONValue.string(catalog.version), "products": .array(products),
            ])
        }
        response.headers[.eTag] = tag
        return response
    }

    /// Whether `If-None-Match` names a tag (RFC 9110, section 13.1.2: weak ones match, too, and `*` any).
    static func matches(_ headers: [String], _ tag: String) -> Bool {
        headers.flatMap { $0.split(separator: ",") }.contains { item in
            let text = String(item.filter { $0 != " " && $0 != "\t" })
            return text == "*" || text == tag || text == "W/" + tag
        }
    }
}
