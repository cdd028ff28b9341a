import AppStoreSigning
import Contracts
import Testing

@testable import AppStore

@Suite struct `a check for revocation` {
    private static let url = "http://ocsp.test/ca"

    private let signer: AppStoreSigner
    private let responder: ScriptedResponder

    init() throws {
        signer = try AppStoreSigner(ocsp: Self.url)
        responder = try ScriptedResponder(for: signer)
    }

    /// The chain in use after one transaction, signed at `time`.
    private func chain(of signer: AppStoreSigner, at time: Timestamp = .newYear2026) throws -> VerifiedChain {
        let verifier = signer.transactions
        let purchase = SimulatedPurchase(bundleId: "com.example.game", productId: "coins100")
        _ = try verifier.verify(signer.sign(transaction: purchase.transaction(at: time)), now: time)
        return try #require(verifier.chainsInUse.first)
    }

    /// What is found about these chains, by asking the responder.
    private func check(
        _ chains: [VerifiedChain],
        now: Timestamp = .newYear2026
    ) async -> [RevocationStatus] {
        await RevocationChecker(transport: responder).check(chains, now: now)
    }

    private func status(now: Timestamp = .newYear2026) async throws -> RevocationStatus {
        let chain = try chain(of: signer)
        return try #require(await check([chain], now: now).first)
    }

    /// Whose certificate was revoked; nil when none was.
    private func revoked(_ status: RevocationStatus?) -> CertificateName? {
        if case .revoked(let name) = status { name } else { nil }
    }

    private func isUnproven(_ status: RevocationStatus) -> Bool {
        if case .unknown(.unproven) = status { true } else { false }
    }

    // MARK: Answers

    @Test func `finds a chain good when leaf and intermediate are vouched for, with a question for each`()
        async throws
    {
        #expect(try await status() == .good)
        #expect(responder.asked == [Self.url, Self.url])
    }

    @Test(arguments: OCSPSubject.allCases)
    func `finds a revoked certificate, and says which it is`(subject: OCSPSubject) async throws {
        responder.say(.revoked, of: subject)
        let serial = try #require(try signer.responder()?.serialNumber(of: subject))
        let name = try #require(revoked(try await status()))
        #expect(name.subject.contains(subject == .leaf ? "Receipt Signing" : "Developer Relations"))
        #expect(name.serialNumber == serial.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }

    @Test func `raises no alarm before the responder has said it twice`() async throws {
        responder.say(.revoked, of: .leaf)
        responder.reply(.failure(.unreachable), to: 2, 3)
        #expect(isUnproven(try await status()))
        #expect(responder.asked.count == 3)
    }

    @Test func `goes on to the intermediate when nobody answers for the leaf`() async throws {
        responder.say(.revoked, of: .intermediate)
        responder.reply(.failure(.unreachable), to: 1, 3)
        let name = try #require(revoked(try await status()))
        #expect(name.subject.contains("Developer Relations"))
    }

    // MARK: No answers

    @Test(arguments: [TransportFailure.timedOut, .unreachable, .tooLarge])
    func `takes trouble on the network for no revocation`(failure: TransportFailure) async throws {
        responder.say(.revoked, of: .leaf, .intermediate)
        responder.reply(.failure(failure))
        #expect(try await status() == .unknown(.noResponse(failure)))
        #expect(responder.asked.count == 2)
    }

    @Test func `calls it a timeout when the policy gives a question up`() async throws {
        responder.reply(.failure(.cancelled))
        #expect(try await status() == .unknown(.noResponse(.timedOut)))
    }

    @Test func `needs an answer for both certificates to find a chain good`() async throws {
        responder.reply(.failure(.unreachable), to: 2)
        #expect(try await status() == .unknown(.noResponse(.unreachable)))
    }

    @Test(arguments: [302, 404, 503])
    func `reads no answer under another HTTP status than 200`(status code: Int) async throws {
        responder.reply(.success(AppleHTTPResponse(status: code, body: OCSPResponder.refusal(.unauthorized))))
        #expect(try await status() == .unknown(.httpStatus(code)))
    }

    // MARK: Worthless answers

    @Test(arguments: OCSPFlaw.allCases, [OCSPStatus.good, .revoked])
    func `believes no answer with a flaw, be it good or bad news`(
        flaw: OCSPFlaw,
        status said: OCSPStatus
    ) async throws {
        responder.say(said, of: .leaf, .intermediate)
        responder.spoil(with: flaw)
        #expect(isUnproven(try await status()))
    }

    @Test(
        arguments: ["", "rubbish", "<html>Service Unavailable</html>", "\u{30}\u{03}\u{0A}\u{01}\u{00}"]
    )
    func `takes rubbish for no revocation`(body: String) async throws {
        responder.reply(.success(AppleHTTPResponse(status: 200, body: Array(body.utf8))))
        #expect(isUnproven(try await status()))
    }

    @Test(arguments: OCSPResponder.Refusal.allCases)
    func `takes a responder that refuses for no revocation`(refusal: OCSPResponder.Refusal) async throws {
        responder.reply(.success(AppleHTTPResponse(status: 200, body: OCSPResponder.refusal(refusal))))
        #expect(isUnproven(try await status()))
    }

    @Test func `takes a responder that does not know the certificate for no revocation`() async throws {
        responder.say(.unknown, of: .leaf, .intermediate)
        #expect(isUnproven(try await status()))
    }

    @Test func `believes an answer as long as it holds, by the time that it is given`() async throws {
        responder.say(.revoked, of: .leaf)
        let day: Int64 = 86_400_000
        #expect(revoked(try await status(now: .newYear2026.advanced(by: 6 * day))) != nil)
        #expect(isUnproven(try await status(now: .newYear2026.advanced(by: 8 * day))))
    }

    // MARK: Not asked

    @Test(arguments: [ChainFlaw.expiredLeaf, .expiredIntermediate])
    func `does not ask about a chain that has expired`(flaw: ChainFlaw) async throws {
        let old = try AppStoreSigner(flaw: flaw, ocsp: Self.url)
        #expect(try await check([chain(of: old, at: .summer2021)]) == [.unknown(.notValidNow)])
        #expect(responder.asked.isEmpty)
    }

    @Test func `asks nobody where no certificate names a responder`() async throws {
        #expect(try await check([chain(of: AppStoreSigner())]) == [.unknown(.noResponder)])
        #expect(responder.asked.isEmpty)
    }

    @Test(arguments: OCSPSubject.allCases)
    func `finds no chain good of which one certificate names no responder, and still finds it revoked`(
        subject: OCSPSubject
    ) async throws {
        let half = try AppStoreSigner(ocsp: Self.url, namedBy: [subject])
        let responder = try ScriptedResponder(for: half)
        let chain = try chain(of: half)
        let checker = RevocationChecker(transport: responder)
        #expect(await checker.check([chain], now: .newYear2026) == [.unknown(.noResponder)])
        #expect(responder.asked.count == 1)
        responder.say(.revoked, of: subject)
        let status = await checker.check([chain], now: .newYear2026).first
        let name = try #require(revoked(status))
        #expect(name.subject.contains(subject == .leaf ? "Receipt Signing" : "Developer Relations"))
    }

    @Test func `does not fall over a chain that is none`() async {
        let chain = VerifiedChain(certificates: [], validFrom: .min, validUntil: .max)
        let statuses = await check([chain])
        #expect(statuses.allSatisfy(isUnproven) && statuses.count == 1)
    }

    @Test func `asks about each chain once, and about a limited number in a round`() async throws {
        let chains = try (0..<RevocationChecker.chainsPerRound + 2).map { _ in
            try chain(of: try AppStoreSigner(ocsp: Self.url))
        }
        let old = try AppStoreSigner(flaw: .expiredLeaf, ocsp: Self.url)
        responder.reply(.failure(.unreachable))
        let statuses = try await check([chain(of: old, at: .summer2021)] + chains + chains)
        #expect(responder.asked.count == 2 * RevocationChecker.chainsPerRound)
        let asked = Array(
            repeating: RevocationStatus.unknown(.noResponse(.unreachable)),
            count: RevocationChecker.chainsPerRound
        )
        let beyond = Array(repeating: RevocationStatus.unknown(.beyondLimit), count: 2)
        #expect(statuses == [.unknown(.notValidNow)] + asked + beyond)
    }
}
