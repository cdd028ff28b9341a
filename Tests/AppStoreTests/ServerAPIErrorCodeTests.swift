import AppStore
import Testing

@Suite struct `an error code of the App Store Server API` {
    typealias Row = (code: Int64, kind: ServerAPIErrorCode.Kind)

    /// Apple's codes that the called endpoints answer with.
    static let rows: [Row] = {
        let permanent: [Int64] = [
            4_000_000, 4_000_002, 4_000_005, 4_000_006, 4_000_008, 4_000_009, 4_000_010, 4_000_011,
            4_000_012, 4_000_013, 4_000_014, 4_000_015, 4_000_016, 4_000_017, 4_000_018, 4_000_019,
            4_000_021, 4_000_022, 4_000_023, 4_000_024, 4_000_026, 4_000_030, 4_000_033, 4_000_035,
            4_000_036, 4_000_041, 4_000_044, 4_000_047, 4_000_048, 4_000_183, 4_000_185, 4_000_187,
            4_000_209, 4_000_227, 4_030_004, 4_030_005, 4_030_007, 4_030_028, 4_090_000,
        ]
        let notFound: [Int64] = [4_040_001, 4_040_003, 4_040_005, 4_040_007, 4_040_009, 4_040_010]
        let retryable: [Int64] = [4_040_002, 4_040_004, 4_040_006, 4_290_000, 5_000_000, 5_000_001]
        func rows(_ codes: [Int64], _ kind: ServerAPIErrorCode.Kind) -> [Row] { codes.map { ($0, kind) } }
        return rows(permanent, .permanent) + rows(notFound, .notFound) + rows(retryable, .retryable)
    }()

    @Test(arguments: rows) func `says whether to ask again`(row: Row) {
        let code = ServerAPIErrorCode(rawValue: row.code)
        #expect(code.kind(status: Int(row.code / 10_000)) == row.kind)
    }

    @Test(arguments: [
        (400, ServerAPIErrorCode.Kind.permanent), (403, .permanent), (404, .permanent), (409, .permanent),
        (408, .retryable), (429, .retryable), (500, .retryable), (503, .retryable), (599, .retryable),
    ])
    func `that nobody knows goes by the class of HTTP`(status: Int, kind: ServerAPIErrorCode.Kind) {
        #expect(ServerAPIErrorCode(rawValue: 9_990_000).kind(status: status) == kind)
    }

    @Test func `that nobody knows and that begins with 404 is a thing not found`() {
        #expect(ServerAPIErrorCode(rawValue: 4_049_999).kind(status: 404) == .notFound)
    }

    @Test func `that is permanent is asked again all the same when the server itself has failed`() {
        #expect(ServerAPIErrorCode(rawValue: 4_000_000).kind(status: 502) == .retryable)
    }

    @Test func `sends the search to the other server only for an id that this one does not know`() {
        let codes = Self.rows.map { ServerAPIErrorCode(rawValue: $0.code) }
        #expect(codes.filter(\.asksForOtherServer).map(\.rawValue) == [4_040_005, 4_040_010])
    }
}
