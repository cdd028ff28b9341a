import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Program
import TestKit
import Testing

@testable import Gateway

@Suite struct `The log of requests` {
    private static func record(_ number: Int64, buyer: String = "ada", status: Int = 200) -> RequestRecord {
        var record = RequestRecord(
            number: number,
            time: 1_760_000_000_000 + number,
            id: "id-\(number)",
            method: "GET",
            path: "/v1/buyers/\(buyer)/ledger",
            status: status,
            milliseconds: 3
        )
        (record.caller, record.buyerId) = ("key backend", buyer)
        return record
    }

    @Test func `has records of one size, which come back as they were`() throws {
        var record = Self.record(7)
        (record.orderId, record.code, record.field, record.bundleId) = (
            "o", "invalid", "quantity", "com.game"
        )
        #expect(record.line.count == RequestRecord.bytes)
        #expect(RequestRecord(line: record.line) == record)
    }

    @Test func `keeps lines and fields apart, whatever a path says, and cuts what is too long`() throws {
        var record = Self.record(7)
        record.path = "/a\tb\nc" + String(repeating: "ü", count: 600)
        let line = record.line
        #expect(line.count == RequestRecord.bytes && line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
        let read = try #require(RequestRecord(line: line))
        #expect(read.path.hasPrefix("/a?b?c") && read.id == record.id)
    }

    @Test func `shows every request, and finds its buyer and order, however long its fields are`() throws {
        let order = OrderID(
            time: Timestamp(milliseconds: 1_760_000_000_000),
            shard: Shard(rawValue: 5),
            random: 1
        )
        var record = Self.record(7, buyer: String(repeating: "b", count: 128))
        (record.number, record.id) = (.max, "01234567-89ab-cdef-0123-456789abcdef")
        (record.caller, record.code) = ("operator o0123456789ab", "invalid")
        (record.field, record.bundleId) = (
            String(repeating: "f", count: 500), String(repeating: "c", count: 155)
        )
        record.orderId = order.rawValue.uppercased()
        let read = try #require(RequestRecord(line: record.line))
        var search = RequestSearch()
        (search.buyer, search.order) = (record.buyerId, order.rawValue.lowercased())
        #expect(search.matches(read) && read.field.count == 48 && read.id == record.id)
        search.order = String(repeating: "x", count: 128)
        record.orderId = search.order ?? ""
        #expect(search.matches(try #require(RequestRecord(line: record.line))))
    }

    @Test func `takes the place of the oldest, goes on after a restart, and is searched`() throws {
        let folder = try TestFolder()
        let home = Home(root: folder.path)
        try home.makeFolders()
        let file = home.requestLog(replica: 0)
        for part in [1...3, 4...6] as [ClosedRange<Int64>] {
            let log = try #require(RequestLog(file, records: 4))
            for number in part {
                log.add(Self.record(number, buyer: "b\(number % 2)", status: number == 5 ? 422 : 200))
            }
        }
        let size = try Data(contentsOf: URL(filePath: file)).count
        #expect(size == 4 * RequestRecord.bytes)
        var search = RequestSearch()
        #expect(try search.found(in: home).map(\.number) == [6, 5, 4, 3])
        search.buyer = "b1"
        #expect(try search.found(in: home).map(\.number) == [5, 3])
        search.status = "4"
        #expect(try search.found(in: home).map(\.id) == ["id-5"])
        search.limit = 0
        #expect(try search.found(in: home).isEmpty)
    }

    @Test(arguments: [String(repeating: "9", count: 30) + "\t", "-1\t", "x\t", "7", ""])
    func `goes on behind the newest record, whatever else the file holds`(garbage: String) throws {
        let folder = try TestFolder()
        let file = folder.path + "/requests.ring"
        let padding = String(repeating: " ", count: RequestRecord.bytes - 1 - garbage.utf8.count)
        var record = Self.record(7)
        record.number = 41
        try (Data((garbage + padding + "\n").utf8) + Data(record.line)).write(to: URL(filePath: file))
        let log = try #require(RequestLog(file, records: 2))
        log.add(Self.record(8))
        let lines = [UInt8](try Data(contentsOf: URL(filePath: file)))
        #expect(RequestRecord(line: lines[..<RequestRecord.bytes])?.number == 42)
    }

    @Test func `says who asked, for whom, and which field was refused, and every answer carries its id`()
        async throws
    {
        let folder = try TestFolder()
        let home = Home(root: folder.path)
        try home.makeFolders()
        let log = try #require(RequestLog(home.requestLog(replica: 0)))
        let recorder = AnswerRecorder(log: log, newID: { "the-id" })
        let gateway = TestGateway()
        let request = Request(
            head: .init(method: .get, scheme: "http", authority: nil, path: "/v1/buyers/b1/ledger?limit=0"),
            body: .init(buffer: ByteBuffer())
        )
        let response = try await recorder.answer(request) {
            let answer = try await gateway.get("/v1/buyers/b1/ledger?limit=0")
            return Response(status: .init(code: answer.status))
        }
        let name = try #require(HTTPField.Name(AnswerRecorder.header))
        #expect(response.headers[name] == "the-id")
        let record = try #require(RequestSearch().found(in: home).first)
        #expect(record.id == "the-id" && record.status == 422 && record.path == "/v1/buyers/b1/ledger")
        #expect(record.caller == "key backend" && record.buyerId == "b1")
        #expect(record.code == "invalid" && record.field == "limit")
    }
}
