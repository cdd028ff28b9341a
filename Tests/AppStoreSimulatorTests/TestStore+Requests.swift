import AppStoreSigning
import Contracts
import Crypto
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

@testable import AppStoreSimulator

/// An answer with its body read.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPFields
    let text: String

    var json: JSONValue? {
        do { return try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) } catch { return nil }
    }

    /// A member of the answer's JSON, by its path.
    subscript(_ path: String...) -> JSONValue? { value(path) }

    private func value(_ path: [String]) -> JSONValue? {
        path.reduce(json) { value, name in
            switch (value, Int(name)) {
            case (.object(let members), _): members[name]
            case (.array(let values), let index?) where values.indices.contains(index): values[index]
            default: nil
            }
        }
    }

    /// A text in the answer's JSON, empty where there is none.
    func text(_ path: String...) -> String {
        if case .string(let text)? = value(path) { text } else { "" }
    }

    /// The id of the first transaction.
    var transactionId: String { text("transactions", "0", "transactionId") }

    /// The elements of an array in the answer's JSON.
    func array(_ name: String) -> [JSONValue] {
        if case .array(let values)? = self[name] { values } else { [] }
    }

    var errorCode: Int64? { if case .integer(let code)? = self["errorCode"] { code } else { nil } }

    /// verifyReceipt's.
    var receiptStatus: Int64? { if case .integer(let code)? = self["status"] { code } else { nil } }
}

/// Requests as a phone, an app's server and a test send them.
extension TestStore {
    func send(
        _ method: HTTPRequest.Method,
        _ uri: String,
        _ body: String? = nil,
        token: String? = nil
    ) async throws -> Answer {
        var headers: HTTPFields = [:]
        headers[.authorization] = token.map { "Bearer \($0)" }
        let reply = try await exchange(method, uri, headers, body.map(ByteBuffer.init(string:)))
        return Answer(status: reply.status, headers: reply.headers, text: reply.text)
    }

    /// `POST /_control/…`.
    func control(_ path: String, _ body: String) async throws -> Answer {
        try await send(.post, "/_control/\(path)", body)
    }

    /// A JSON object of these members and further ones.
    private func object(_ members: String, _ more: String) -> String {
        more.isEmpty ? "{\(members)}" : "{\(members),\(more)}"
    }

    /// Buys something; `more` are further members.
    func buy(
        _ product: String = "coins.120",
        _ type: String = "Consumable",
        _ more: String = ""
    ) async throws -> Answer {
        let members = #""bundleId":"\#(Self.bundle)","productId":"\#(product)","type":"\#(type)""#
        return try await control("purchases", object(members, more))
    }

    /// Subscribes.
    func subscribe(_ more: String = "") async throws -> Answer {
        try await buy("gold.monthly", "Auto-Renewable Subscription", more)
    }

    /// Lets something happen to a transaction; `more` are further members.
    func event(_ name: String, _ transactionId: String, _ more: String = "") async throws -> Answer {
        let members = #""event":"\#(name)","transactionId":"\#(transactionId)""#
        return try await control("events", object(members, more))
    }

    /// Lets something go wrong at a path; `more` are further members.
    func fault(_ path: String, _ kind: String, _ more: String = "") async throws {
        let answer = try await control("faults", object(#""path":"\#(path)","kind":"\#(kind)""#, more))
        #expect(answer.status == 201, "\(answer.text)")
    }

    /// Calls the App Store Server API with a token that is in order.
    func api(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        environment: StoreEnvironment = .production,
        bundle: String = bundle
    ) async throws -> Answer {
        let token = try TestToken(bundle: bundle).text(at: clock.now)
        return try await send(method, "/\(environment.path)/inApps/\(path)", body, token: token)
    }

    /// Has an app's notifications delivered.
    func listen(_ environment: StoreEnvironment = .production, timeFactor: Double = 1) async throws {
        _ = try await control(
            "server-notifications",
            #"""
            {"bundleId":"\#(Self.bundle)","environment":"\#(environment.rawValue)",
             "url":"http://127.0.0.1:1/apple","timeFactor":\#(timeFactor)}
            """#
        )
    }

    /// Asks verifyReceipt.
    func verify(
        _ receipt: String,
        _ environment: StoreEnvironment = .production,
        more: String = ""
    ) async throws -> Answer {
        let body = object(#""receipt-data":"\#(receipt)""#, more)
        return try await send(.post, "/\(environment.path)/verifyReceipt", body)
    }
}

/// A bearer token, in order unless it is changed.
struct TestToken {
    static let key = P256.Signing.PrivateKey()
    static let issuer = "57246542-96fe-1a63-e053-0824d011072a"

    var bundle = TestStore.bundle
    var algorithm = "ES256"
    var type = "JWT"
    var keyId = "KEY1234567"
    var audience = "appstoreconnect-v1"
    var issued: Double = 0
    var life: Double = 300
    var saysWhenIssued = true
    var key = Self.key

    init(bundle: String = TestStore.bundle) { self.bundle = bundle }

    func text(at now: Timestamp) throws -> String {
        let issued = Double(now.milliseconds) / 1_000 + issued
        let header = #"{"alg":"\#(algorithm)","kid":"\#(keyId)","typ":"\#(type)"}"#
        let moment = saysWhenIssued ? #""iat":\#(Int64(issued)),"# : ""
        let claims = #"""
            {"iss":"\#(Self.issuer)",\#(moment)"exp":\#(Int64(issued + life)),
            "aud":"\#(audience)","bid":"\#(bundle)"}
            """#
        let signed = Data(header.utf8).base64URL + "." + Data(claims.utf8).base64URL
        return try signed + "." + key.signature(for: Data(signed.utf8)).rawRepresentation.base64URL
    }
}
