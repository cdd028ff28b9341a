import Crypto
import HTTPTypes
import Testing

@Suite struct `a bearer token` {
    private let store: TestStore

    init() async throws { store = try await TestStore() }

    private static let path = "/production/inApps/v1/transactions/1"

    private func call(_ change: (inout TestToken) -> Void) async throws -> Answer {
        var token = TestToken()
        change(&token)
        return try await store.send(.get, Self.path, token: token.text(at: store.clock.now))
    }

    @Test func `in order lets its app in`() async throws {
        #expect(try await call { _ in }.errorCode == 4_040_010)
    }

    @Test func `need not say when it was issued, as Apple's library for Python does not`() async throws {
        #expect(try await call { $0.saysWhenIssued = false }.errorCode == 4_040_010)
        let late = try await call {
            $0.saysWhenIssued = false
            $0.life = 3_601
        }
        #expect(late.status == 401)
    }

    private static let wrong: [@Sendable (inout TestToken) -> Void] = [
        { $0.algorithm = "HS256" }, { $0.type = "JOSE" }, { $0.keyId = "" }, { $0.audience = "appstore" },
        { $0.issued = -3_000 }, { $0.life = 3_601 }, { $0.issued = 120 },
    ]

    @Test(arguments: wrong.indices)
    func `of another shape is answered 401 without JSON`(index: Int) async throws {
        let answer = try await call(Self.wrong[index])
        #expect(answer.status == 401)
        #expect(answer.json == nil)
    }

    @Test func `that is missing or no token is answered 401`() async throws {
        #expect(try await store.send(.get, Self.path).status == 401)
        #expect(try await store.send(.get, Self.path, token: "a.b.c").status == 401)
    }

    @Test func `needs the signature of a registered key as soon as there is one`() async throws {
        let pem = TestToken.key.publicKey.pemRepresentation.replacing("\n", with: "\\n")
        let stranger = P256.Signing.PrivateKey()
        #expect(try await call { $0.key = stranger }.status == 404)
        _ = try await store.control("keys", #"{"keyId":"KEY1234567","publicKey":"\#(pem)"}"#)
        #expect(try await call { _ in }.status == 404)
        #expect(try await call { $0.keyId = "OTHER" }.status == 401)
        #expect(try await call { $0.key = stranger }.status == 401)
    }

    @Test(arguments: [(#"{"issuerId":"\#(TestToken.issuer)"}"#, 404), ("{}", 401)])
    func `can be made with a key that the store hands out, for its issuer only`(
        wanted: String,
        status: Int
    ) async throws {
        let made = try await store.control("keys", wanted)
        let key = try P256.Signing.PrivateKey(pemRepresentation: made.text("privateKey"))
        let answer = try await call {
            $0.keyId = made.text("keyId")
            $0.key = key
        }
        #expect(answer.status == status)
    }
}
