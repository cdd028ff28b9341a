import Contracts
import HTTPTypes
import Testing

@testable import Gateway

@Suite struct `Reports of StoreKit over HTTP` {
    private static let path = "/v1/orders/\(FakeCaller.orderID)/report"

    @Test(arguments: OrderReportV1.Outcome.allCases)
    func `a report goes to its order, and the answer has the order and a text for the buyer`(
        _ outcome: OrderReportV1.Outcome
    ) async throws {
        let gateway = TestGateway()
        let response = try await gateway.post(Self.path, #"{"outcome":"\#(outcome.rawValue)"}"#)
        #expect(response.status == 200)
        #expect(response["order", "orderId"] == .string(FakeCaller.orderID.rawValue))
        #expect(response["order", "state"] == .string(outcome == .deferred ? "deferred" : "closed"))
        #expect(response["message"] == .string(English.text(outcome)))
        #expect(response.headers[.contentLanguage] == "en")
        let report = try #require(gateway.caller.requests(OrderReportV1.self).first)
        #expect(report.orderId == FakeCaller.orderID && report.outcome == outcome && report.error == nil)
    }

    @Test(arguments: [
        ("2", "2"), (#""2""#, "2"), (#""paymentCancelled""#, "paymentCancelled"), ("-1", "-1"), ("0", "0"),
    ])
    func `an error's code is a string or a number, and is told as a text`(
        _ code: String,
        _ text: String
    ) async throws {
        let gateway = TestGateway()
        let body = #"{"outcome":"failed","errorDomain":"SKErrorDomain","errorCode":\#(code)}"#
        let response = try await gateway.post(Self.path, body)
        #expect(response.status == 200)
        #expect(response["order", "error", "code"] == .string(text))
        #expect(response["order", "error", "domain"] == .string("SKErrorDomain"))
    }

    @Test func `the text for the buyer is in the language that the request prefers`() async throws {
        let gateway = TestGateway()
        let body = #"{"outcome":"failed","errorDomain":"SKErrorDomain","errorCode":4}"#
        let headers: HTTPFields = [.acceptLanguage: "fr, zh-CN;q=0.9, en;q=0.8"]
        let response = try await gateway.post(Self.path, body, headers: headers)
        #expect(response["message"] == .string(SimplifiedChinese.text(.original(.paymentNotAllowed))))
        #expect(response.headers[.contentLanguage] == "zh-Hans")
    }

    @Test func `what is paid is told as paid, whatever the phone saw`() async throws {
        let gateway = TestGateway { _, _ throws(Problem) in
            FakeCaller.order(FakeCaller.orderID, state: .granted)
        }
        let response = try await gateway.post(Self.path, #"{"outcome":"failed"}"#)
        #expect(response.status == 200)
        #expect(response["message"] == .string(English.paid))
        #expect(response["order", "state"] == .string("granted"))
    }

    /// Beside those of `Bad input`.
    @Test(arguments: [
        (#"{"outcome":"bored"}"#, "outcome"), (#"{"outcome":"failed","errorDomain":""}"#, "errorDomain"),
        (#"{"outcome":"failed","errorDomain":"\#(String(repeating: "d", count: 129))"}"#, "errorDomain"),
        (#"{"outcome":"failed","errorCode":"\#(String(repeating: "c", count: 65))"}"#, "errorCode"),
    ])
    func `a wrong value is answered 422 and named`(_ body: String, _ field: String) async throws {
        try await TestGateway().refuses(naming: field) { try await $0.post(Self.path, body) }
    }
}

@Suite struct `The texts for buyers` {
    @Test(arguments: Language.allCases, StoreKitFault.all)
    func `are there for every error of StoreKit, in every language`(language: Language, fault: StoreKitFault)
    {
        let text = language.texts.text(fault)
        #expect(text.count >= 8)
        let hasHan = text.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) }
        #expect(hasHan == (language == .simplifiedChinese))
    }

    /// `SKError.Code` as Apple's documentation lists it.
    @Test(arguments: [
        (0, "unknown"), (1, "clientInvalid"), (2, "paymentCancelled"), (3, "paymentInvalid"),
        (4, "paymentNotAllowed"), (5, "storeProductNotAvailable"), (6, "cloudServicePermissionDenied"),
        (7, "cloudServiceNetworkConnectionFailed"), (8, "cloudServiceRevoked"),
        (9, "privacyAcknowledgementRequired"), (10, "unauthorizedRequestData"),
        (11, "invalidOfferIdentifier"), (12, "invalidSignature"), (13, "missingOfferParams"),
        (14, "invalidOfferPrice"), (15, "overlayCancelled"), (16, "overlayInvalidConfiguration"),
        (17, "overlayTimeout"), (18, "ineligibleForOffer"), (19, "unsupportedPlatform"),
        (20, "overlayPresentedInBackgroundScene"),
    ])
    func `know the codes of SKError by number and by name`(number: Int, name: String) throws {
        let fault = StoreKitFault.original(try #require(StoreKitFault.Original(rawValue: number)))
        for code in ["\(number)", name] {
            #expect(StoreKitFault(ReportedError(domain: "SKErrorDomain", code: code)) == fault)
        }
    }

    @Test(
        arguments: [
            ("StoreKit.StoreKitError", "networkError(URLError(-1009))", StoreKitFault.general(.networkError)),
            ("StoreKitError", "userCancelled", .general(.userCancelled)),
            ("StoreKit.Product.PurchaseError", "invalidQuantity", .purchase(.invalidQuantity)),
            ("SKErrorDomain", "21", nil), ("SKErrorDomain", "-1", nil), ("NSURLErrorDomain", "2", nil),
            (nil, "2", nil), ("SKErrorDomain", nil, nil),
        ] as [(String?, String?, StoreKitFault?)]
    )
    func `know the errors of StoreKit by the names of their cases, and no others`(
        domain: String?,
        code: String?,
        fault: StoreKitFault?
    ) {
        #expect(StoreKitFault(ReportedError(domain: domain, code: code)) == fault)
    }

    @Test(arguments: [OrderReportV1.Outcome.cancelled, .failed])
    func `are the general one of the outcome for an unknown error`(outcome: OrderReportV1.Outcome) {
        let unknown = ReportedError(domain: "SKErrorDomain", code: "999")
        #expect(English.message(outcome, unknown, of: .closed) == English.text(outcome))
        let known = ReportedError(domain: "SKErrorDomain", code: "4")
        #expect(English.message(outcome, known, of: .closed) == English.text(.original(.paymentNotAllowed)))
        #expect(English.message(.deferred, known, of: .deferred) == English.text(.deferred))
    }

    @Test(arguments: [
        (nil as String?, Language.english), ("", .english), ("zh", .simplifiedChinese),
        ("zh-CN", .simplifiedChinese),
        ("zh-Hans", .simplifiedChinese), ("ZH-hans-cn", .simplifiedChinese),
        ("zh-SG", .simplifiedChinese),
        ("zh-Hant", .english), ("zh-TW", .english), ("zh-Hans-TW", .simplifiedChinese), ("fr", .english),
        ("*", .english), ("en;q=0.5, zh;q=0.6", .simplifiedChinese), ("zh;q=0.5,en;q=0.6", .english),
        ("zh;q=0", .english), ("zh;q=x", .english), ("zh;q=2", .english), ("en, zh", .english),
        ("zh, en", .simplifiedChinese), ("fr;q=1, zh;q=0.1", .simplifiedChinese), (";;,,-", .english),
    ])
    func `are chosen by the weights of the header`(header: String?, language: Language) {
        #expect(Language(acceptLanguage: header) == language)
    }
}
