import Contracts
import Foundation
import Testing

@Suite struct `Order ids` {
    static let time = Timestamp(milliseconds: 0x0193_71C8_2E5F)

    @Test func `The bits stand where RFC 9562 puts those of version 8`() throws {
        let order = OrderID(time: Self.time, shard: Shard(rawValue: 0xA3C7), random: .max)
        #expect(order.rawValue == "019371c8-2e5f-8a3c-9fff-ffffffffffff")
        let none = OrderID(time: Self.time, shard: Shard(rawValue: 0xA3C7), random: 0)
        #expect(none.rawValue == "019371c8-2e5f-8a3c-9c00-000000000000")
    }

    @Test func `Every shard comes back from the id that carries it, and the id from its text in any case`() {
        for number in stride(from: UInt16(0), to: .max, by: 251) {
            let shard = Shard(rawValue: number)
            let order = OrderID(
                time: Self.time,
                shard: shard,
                random: UInt64(number) &* 0x9E37_79B9_7F4A_7C15
            )
            #expect(order.shard == shard)
            #expect(OrderID(rawValue: order.rawValue) == order)
            #expect(OrderID(rawValue: order.rawValue.uppercased()) == order)
        }
    }

    @Test func `58 random bits tell orders of the same moment and shard apart`() {
        let shard = Shard(rawValue: 7)
        let base = OrderID(time: Self.time, shard: shard, random: 0)
        let used = (0..<64).filter { OrderID(time: Self.time, shard: shard, random: 1 << UInt64($0)) != base }
        #expect(used.count == 58)
    }

    @Test func `Orders sort by the time at which they were issued`() {
        let times: [Int64] = [0, 1, 255, 256, 1_767_225_600_000, 0x0000_FFFF_FFFF_FFFF]
        let orders = times.enumerated().map { index, time in
            OrderID(
                time: Timestamp(milliseconds: time),
                shard: Shard(rawValue: UInt16(60_000 - index * 10_000)),
                random: UInt64(index)
            )
        }
        #expect(orders.sorted() == orders)
    }

    @Test func `A phone may send the token back in upper case`() throws {
        let json = Data(#""019371C8-2E5F-8A3C-9E07-5D1F0B6C2A48""#.utf8)
        let order = try JSONDecoder().decode(OrderID.self, from: json)
        #expect(order.rawValue == "019371c8-2e5f-8a3c-9e07-5d1f0b6c2a48")
        #expect(order.shard == Shard(rawValue: 0xA3C7))
    }

    @Test func `A phone may send an order's id back in upper case, within a message too`() throws {
        let json = #"{"bundleId":"b","orderId":"019371C8-2E5F-8A3C-9E07-5D1F0B6C2A48","reason":"failed"}"#
        let close = try JSONDecoder().decode(OrderCloseV1.self, from: Data(json.utf8))
        #expect(close.orderId == OrderID(rawValue: "019371c8-2e5f-8a3c-9e07-5d1f0b6c2a48"))
    }

    @Test(arguments: [
        "48c8b92d-ce0d-4229-bedf-e61b4f9cfc92",  // version 4
        "019371c8-2e5f-7a3c-9e07-5d1f0b6c2a48",  // version 7
        "019371c8-2e5f-8a3c-1e07-5d1f0b6c2a48",  // another variant
        "019371c8-2e5f-8a3c-9e07-5d1f0b6c2a4", "019371c8-2e5f-8a3c-9e07-5d1f0b6c2a480", "shop/1001", "",
        "019371c82-e5f-8a3c-9e07-5d1f0b6c2a48", "019371c8-2e5f-8a3c-9e07-5d1f0b6c2a4g",
        "019371c8-2e5f-8a3c-9e07- d1f0b6c2a48", "019371c8-2e5f-8a3c-9e07-+d1f0b6c2a48",
        "019371c8-2e5f-8a3c-9e07-5d1f0b6c2aé",
    ])
    func `What is no UUID of ours is no order id`(text: String) {
        #expect(OrderID(rawValue: text) == nil)
        #expect(!OrderID.isValid(text))
    }
}
