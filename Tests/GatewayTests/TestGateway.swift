import Contracts
import Domain
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Program

@testable import Gateway

/// A gateway for two apps whose partitions are a `FakeCaller`, asked without sockets.
struct TestGateway: Sendable {
    static let key = "key-of-the-game-0123456789"
    static let sharedSecret = "0123456789abcdef0123456789abcdef"
    static let otherKey = "key-of-another-app-0123456789"
    static let partitions = 4
    static let bundle = BundleID(unchecked: "com.example.game")
    static let buyer = BuyerID(unchecked: "b1")
    /// What a phone sends.
    static let receipt = #"{"bundleId":"com.example.game","buyerId":"b1","signedTransaction":"x"}"#

    /// Where what is asked under a key goes.
    static func partition(_ service: ServiceName, _ key: PartitionKey) -> PartitionAddress {
        key.address(in: service, of: partitions)
    }

    let caller: FakeCaller
    let context: GatewayContext

    init(
        _ response: @escaping FakeCaller.Handler = FakeCaller.succeed,
        loadShedder: LoadShedder = LoadShedder(),
        isTestHome: Bool = false
    ) {
        caller = FakeCaller(response)
        let configuration = Self.configuration(extraRoots: isTestHome ? ["root.der"] : [])
        var context = GatewayContext(configuration, catalog: Self.catalog, caller: caller)
        context.loadShedder = loadShedder
        context.isTestHome = isTestHome
        self.context = context
    }

    private static func configuration(extraRoots: [String]) -> Configuration {
        let apps = [
            Configuration.App(
                bundleId: bundle,
                environments: [.production, .sandbox],
                keys: [.init(id: "backend", secret: key)],
                verifyReceipt: .init(sharedSecret: sharedSecret)
            ),
            Configuration.App(
                bundleId: BundleID(unchecked: "com.example.other"),
                environments: [.production],
                keys: [
                    .init(id: "old", secret: "an-older-key-0123456789"), .init(id: "new", secret: otherKey),
                ]
            ),
        ]
        return Configuration(partitions: partitions, extraRoots: extraRoots, apps: apps)
    }

    private static let catalog = Catalog(products: [
        Catalog.Product(
            productId: ProductID(unchecked: "coins.100"),
            type: .consumable,
            grants: [.init(entitlement: "coins", amount: 100)]
        ),
        Catalog.Product(
            productId: ProductID(unchecked: "coins.old"),
            type: .consumable,
            grants: [.init(entitlement: "coins", amount: 50)],
            retired: .undecided
        ),
    ])

    /// Runs requests against the router.
    func test<Value: Sendable>(_ body: @Sendable (Client) async throws -> Value) async throws -> Value {
        try await Application(responder: context.responder()).test(.router) { client in
            try await body(Client(client: client))
        }
    }

    /// Sends one request.
    func get(_ uri: String, key: String? = TestGateway.key) async throws -> Response {
        try await test { try await $0.get(uri, key: key) }
    }

    /// Sends one request.
    func post(
        _ uri: String,
        _ body: String,
        key: String? = TestGateway.key,
        headers: HTTPFields = [:]
    ) async throws -> Response {
        try await test { try await $0.post(uri, body, key: key, headers: headers) }
    }

    /// Makes one order.
    func issue(_ body: String, idempotencyKey: String? = "k1") async throws -> Response {
        try await test { try await $0.issue(body, idempotencyKey: idempotencyKey) }
    }

    /// Sends one request to the listener for operations.
    func getAsOperator(_ uri: String) async throws -> Response {
        try await Application(responder: context.operationsResponder()).test(.router) { client in
            try await Client(client: client).get(uri, key: nil)
        }
    }

    /// A response with its body read.
    struct Response: Sendable {
        let status: Int
        let headers: HTTPFields
        let text: String

        /// A member of the JSON, by its path.
        subscript(_ path: String...) -> JSONValue? { json?[path] }

        var json: JSONValue? {
            do { return try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) } catch { return nil }
        }

        /// The value that a problem names.
        var field: String? {
            if case .string(let field) = self["field"] { field } else { nil }
        }
    }

    /// Sends requests as a backend does.
    struct Client: Sendable {
        let client: any TestClientProtocol

        func get(_ uri: String, key: String? = TestGateway.key) async throws -> Response {
            try await send(.get, uri, key: key)
        }

        func post(
            _ uri: String,
            _ body: String,
            key: String? = TestGateway.key,
            headers: HTTPFields = [:]
        ) async throws -> Response {
            try await send(.post, uri, key: key, headers: headers, body: ByteBuffer(string: body))
        }

        func issue(_ body: String, idempotencyKey: String? = "k1") async throws -> Response {
            var headers: HTTPFields = [:]
            if let name = HTTPField.Name("Idempotency-Key") { headers[name] = idempotencyKey }
            return try await post("/v1/orders", body, headers: headers)
        }

        func send(
            _ method: HTTPRequest.Method,
            _ uri: String,
            key: String? = TestGateway.key,
            headers: HTTPFields = [:],
            body: ByteBuffer? = nil
        ) async throws -> Response {
            var headers = headers
            headers[.authorization] = key.map { "Bearer \($0)" }
            let response = try await client.execute(uri: uri, method: method, headers: headers, body: body)
            return Response(
                status: response.status.code,
                headers: response.headers,
                text: String(buffer: response.body)
            )
        }
    }
}
