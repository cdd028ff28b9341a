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

    let caller: FakeCaller
    let edge: Edge

    init(
        _ answer: @escaping FakeCaller.Answer = FakeCaller.happily,
        admission: Admission = Admission(),
        isTestHome: Bool = false
    ) {
        caller = FakeCaller(answer)
        edge = Edge(
            Self.configuration(isTestHome: isTestHome),
            partitions: Partitions(count: Self.partitions, caller: caller),
            admission: admission
        )
    }

    static func configuration(isTestHome: Bool = false) -> GatewayConfiguration {
        let apps = [
            Configuration.App(
                bundleId: BundleID(unchecked: "com.example.game"),
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
        let products = [
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
        ]
        return GatewayConfiguration(
            Configuration(partitions: partitions, extraRoots: isTestHome ? ["root.der"] : [], apps: apps),
            catalog: Catalog(products: products),
            isTestHome: isTestHome
        )
    }

    /// Runs requests against the router.
    func test<Value: Sendable>(_ body: @Sendable (Client) async throws -> Value) async throws -> Value {
        try await Application(responder: edge.responder()).test(.router) { client in
            try await body(Client(client: client))
        }
    }

    /// Runs requests against the router of the listener for operations.
    func testOperations<Value: Sendable>(
        _ body: @Sendable (Client) async throws -> Value
    ) async throws -> Value {
        try await Application(responder: edge.operationsResponder()).test(.router) { client in
            try await body(Client(client: client))
        }
    }

    /// An answer with its body read.
    struct Answer: Sendable {
        let status: Int
        let headers: HTTPFields
        let text: String

        /// A member of the answer's JSON, by its path.
        subscript(_ path: String...) -> JSONValue? {
            path.reduce(json) { value, name in
                switch (value, Int(name)) {
                case (.object(let members), _): members[name]
                case (.array(let values), let index?) where values.indices.contains(index): values[index]
                default: nil
                }
            }
        }

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

        func get(_ uri: String, key: String? = TestGateway.key) async throws -> Answer {
            try await send(.get, uri, key: key)
        }

        func post(
            _ uri: String,
            _ body: String,
            key: String? = TestGateway.key,
            headers: HTTPFields = [:]
        ) async throws -> Answer {
            try await send(.post, uri, key: key, headers: headers, body: ByteBuffer(string: body))
        }

        func issue(_ body: String, idempotencyKey: String? = "k1") async throws -> Answer {
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
        ) async throws -> Answer {
            var headers = headers
            headers[.authorization] = key.map { "Bearer \($0)" }
            let response = try await client.execute(uri: uri, method: method, headers: headers, body: body)
            return Answer(
                status: response.status.code,
                headers: response.headers,
                text: String(buffer: response.body)
            )
        }
    }
}
